-- One instance rebuilds the room from PostgreSQL; everybody else waits. ARGV: id, offset, epoch
loadRoom()
readTime(tonumber(ARGV[2]))
local epoch = tonumber(ARGV[3])
local other, at = call('HGET', META, 'restoring'), tonumber(call('HGET', META, 'restoringAt') or 0)
local server = string.match(call('INFO', 'server'), 'run_id:(%x+)')
if not other and room.epoch == epoch and call('HGET', META, 'server') == server then return { 'done' } end
local wall = tonumber(call('TIME')[1])
if other and other ~= ARGV[1] and wall - at < 10 then return { 'wait' } end
if room.epoch ~= epoch then
	call('DEL', unpack(KEYS))
	stored = {}
	for _, name in ipairs(fields) do room[name] = 0 end
	room.epoch = epoch
end
save()
call('HSET', META, 'restoring', ARGV[1], 'restoringAt', wall)
return { 'ok' }
