-- Takes an authentic ticket in again that was lost here. ARGV: epoch, offset, then the ticket. Answers the ticket
-- that its holder has now.
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local number, ticket = ticketFrom(3)
local known = read(number)
if known then return { 'ok', known.holder == ticket.holder and reply(number, known) or 0 } end
if tonumber(number) > room.next then return { 'ok', 0 } end
ticket.version = math.max(1, ticket.version)
merge(number, ticket)
put(number, ticket)
raiseMark()
save()
local current = isLiving(ticket) and number or call('HGET', HOLDERS, ticket.holder)
return { 'ok', reply(current, read(current)) }
