-- A new epoch: every older ticket and pass is void. ARGV: epoch, offset
loadRoom()
readTime(tonumber(ARGV[2]))
local epoch = tonumber(ARGV[1])
if room.epoch >= epoch then return { 'ok' } end
local server = call('HGET', META, 'server')
call('DEL', unpack(KEYS))
stored = {}
local kept = { term = 1, now = 1, aliveAt = 1, placesMax = 1, passRate = 1, turnRate = 1, filledAt = 1, fresh = 1 }
for _, name in ipairs(fields) do
	if not kept[name] then room[name] = 0 end
end
room.epoch = epoch
save()
if server then call('HSET', META, 'server', server) end
return { 'ok' }
