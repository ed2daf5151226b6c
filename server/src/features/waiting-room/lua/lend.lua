-- Numbers reserved in PostgreSQL may be given out from now on. ARGV: epoch, offset, from, to
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local from, to = tonumber(ARGV[3]), tonumber(ARGV[4])
if from == room.limit + 1 and call('EXISTS', BLOCKS) == 0 then
	room.limit = to
elseif from > room.next then
	call('ZADD', BLOCKS, from, ARGV[3] .. '-' .. ARGV[4])
end
save()
return { 'ok' }
