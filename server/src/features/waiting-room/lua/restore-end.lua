-- The room is whole again. Numbers go on after everything that was ever reserved: a lost block is a gap.
-- ARGV: id, offset, lastNumber, version, aliveAt, stopped, frozenSince, stops, then origins of drawn lists placed ...
if call('HGET', META, 'restoring') ~= ARGV[1] then return { 'lost' } end
loadRoom()
readTime(tonumber(ARGV[2]))
call('DEL', BLOCKS)
room.next = math.max(room.next, tonumber(ARGV[3]))
room.limit = room.next
room.seq = math.max(room.seq, tonumber(ARGV[4])) + 1
if room.aliveAt == 0 then
	room.aliveAt = tonumber(ARGV[5])
	room.stopped, room.frozenSince = tonumber(ARGV[6]), tonumber(ARGV[7])
	call('HSET', META, 'stops', ARGV[8])
end
room.term, room.placing = 0, 0
-- The first store of tokens is for a room that nobody was in yet.
if room.next > 0 then room.fresh = 1 end
for i = 9, #ARGV do
	if call('HEXISTS', ORIGINS, ARGV[i]) == 0 then
		call('HSET', ORIGINS, ARGV[i], cjson.encode({ placed = 0, total = 0, complete = true, saved = true }))
	end
end
raiseMark()
save()
call('HSET', META, 'server', string.match(call('INFO', 'server'), 'run_id:(%x+)'))
call('HDEL', META, 'restoring', 'restoringAt')
return { 'ok' }
