-- Renews a living pass within its maximum. ARGV: epoch, offset, passMs, passMaxMs, number.
-- Answers the ticket, then its number and the ticket as stored.
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local passMs, passMaxMs, number = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local ticket = read(number)
if not ticket then return { 'ok', 0 } end
if ticket.state == 'a' and ticket.due > room.run then
	local ran = passMs + ticket.extended - (ticket.due - room.run)
	local extended = math.max(ticket.extended, math.min(ran, passMaxMs - passMs))
	ticket.due = ticket.due + extended - ticket.extended
	ticket.extended = extended
	call('ZADD', ADMITTED, int(ticket.due), number)
	put(number, ticket)
	save()
end
return { 'ok', reply(number, ticket), number, call('HGET', TICKETS, number) }
