-- The room's figures, and the passes given back since `seen`. ARGV: epoch, offset, seen
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
-- A server that was restarted, or another one, may have lost the last moments: it is not believed.
local server = string.match(call('INFO', 'server'), 'run_id:(%x+)')
if call('HGET', META, 'server') ~= server then return { 'empty' } end
local oldest = 0
for _, lane in ipairs({ WAITING, LATE }) do
	local first = call('ZRANGE', lane, 0, 0)[1]
	local ticket = read(first)
	if ticket and (oldest == 0 or ticket.joinedAt < oldest) then oldest = ticket.joinedAt end
end
return {
	'ok', room.now, room.next, room.mark, room.limit, waitingCount(), call('ZCARD', CALLED), call('ZCARD', ADMITTED),
	room.done, room.expired, room.left, oldest, room.frozenSince, room.joined, room.calls, room.claimed,
	room.missed, room.passes, call('HGET', META, 'stops') or '', room.seq,
	call('ZRANGEBYSCORE', GONE, '(' .. ARGV[3], '+inf', 'LIMIT', 0, 5000), room.stopped
}
