-- Passes for called people, first come first, as the tokens allow; whoever must wait keeps the turn.
-- ARGV: epoch, offset, passMs, heldTurnMs, then numbers ... Answers: milliseconds to the next token (-1: none in
-- sight), then each ticket as it stands.
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local passMs, heldTurnMs = tonumber(ARGV[3]), tonumber(ARGV[4])
fill()
local answers = { 'ok', 0 }
for i = 5, #ARGV do
	local number = ARGV[i]
	local ticket = read(number)
	if ticket and ticket.state == 'c' then
		if hasToken(room.passTokens) then
			room.passTokens = room.passTokens - 1
			ticket.claimedAt = room.now
			unlist(number, ticket)
			ticket.state, ticket.due = 'a', room.run + passMs
			enlist(number, ticket)
			put(number, ticket)
			room.passes, room.claimed = room.passes + 1, room.claimed + 1
		else
			room.heldAt = room.now
			if ticket.due < room.run + heldTurnMs then
				ticket.due = room.run + heldTurnMs
				call('ZADD', CALLED, int(ticket.due), number)
				put(number, ticket)
			end
		end
	end
	answers[#answers + 1] = ticket and reply(number, ticket) or 0
end
local missing = 1 - room.passTokens
answers[2] = room.passRate > 0 and math.ceil(math.max(0, missing) / room.passRate * 1000) or -1
save()
return answers
