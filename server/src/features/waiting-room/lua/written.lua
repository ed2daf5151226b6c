-- Passes that PostgreSQL holds: their holders may hear of them. Where it held one from before, that one counts.
-- ARGV: epoch, offset, then number, claimedAt, due (on the clock that stands still), extendedMs, ended (0 or 1) ...
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
for i = 3, #ARGV, 5 do
	local number, ticket = ARGV[i], read(ARGV[i])
	if ticket and ticket.state == 'a' then
		ticket.written = true
		if ticket.claimedAt ~= tonumber(ARGV[i + 1]) then
			ticket.claimedAt, ticket.due = tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
			ticket.extended = tonumber(ARGV[i + 3])
			call('ZADD', ADMITTED, int(ticket.due), number)
		end
		put(number, ticket)
		if ARGV[i + 4] == '1' then move(number, ticket, 'e') end
	end
end
save()
return { 'ok' }
