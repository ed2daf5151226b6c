-- Places for holders: the same again for a living ticket, and for one that ended with a booking unless a new place is
-- wanted all the same. A holder for whom there is no number gets 0.
-- ARGV: epoch, offset, passMs, lateLaneMs, then holder, party, 1 for no new place after a booking ...
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local passMs, lateLaneMs = tonumber(ARGV[3]), tonumber(ARGV[4])
fill()
local waiting, inside = waitingCount(), insideCount()
local answers = { 'ok' }

for i = 5, #ARGV, 3 do
	local holder = ARGV[i]
	local number = call('HGET', HOLDERS, holder)
	local last = read(number or nil)
	if last and (isLiving(last) or (last.state == 'd' and ARGV[i + 2] == '1')) then
		answers[#answers + 1] = reply(number, last)
	else
		local fresh = nextNumber()
		if not fresh then
			answers[#answers + 1] = 0
		else
			local missed = last and last.state == 'e' and last.claimedAt == 0 and not last.late
			local ticket = {
				state = 'w', party = tonumber(ARGV[i + 1]), holder = holder, written = false,
				late = (missed and room.run - last.due <= lateLaneMs) or false,
				joinedAt = room.now, claimedAt = 0, due = 0, extended = 0
			}
			-- Below the limits the room is invisible. Who stands at the counter comes first.
			local free = waiting == 0 and callableMax() == room.next and inside < room.placesMax and room.now - room.heldAt > 1000
			if free and hasToken(room.passTokens) and hasToken(room.turnTokens) then
				room.passTokens, room.turnTokens = room.passTokens - 1, room.turnTokens - 1
				ticket.state, ticket.claimedAt, ticket.due = 'a', room.now, room.run + passMs
				room.passes = room.passes + 1
				inside = inside + 1
			else
				waiting = waiting + 1
			end
			call('HSET', HOLDERS, holder, fresh)
			enlist(fresh, ticket)
			put(fresh, ticket)
			room.joined = room.joined + 1
			if ticket.state == 'a' then raiseMark() end
			answers[#answers + 1] = reply(fresh, ticket)
		end
	end
end
save()
return answers
