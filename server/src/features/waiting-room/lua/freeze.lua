-- Stops the clocks of turns and passes, or starts them again with the time that was left.
-- ARGV: epoch, offset, '1' or '0'. Answers since when they stood still and until when.
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local since = room.frozenSince
if ARGV[3] == '1' then
	if since == 0 then room.frozenSince = room.now end
	save()
	return { 'ok', room.frozenSince, 0 }
end
if since == 0 then return { 'ok', 0, 0 } end
noteStop(since, room.now)
room.frozenSince = 0
-- The leader stood still, too: no time nobody led.
room.aliveAt = room.now
save()
return { 'ok', since, room.now }
