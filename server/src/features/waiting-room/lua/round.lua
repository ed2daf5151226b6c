-- One round of the leader: sets the rates, ends what ran out, calls the next. Bounded work; refused for an older term.
-- ARGV: epoch, offset, term, passesPerSecond, turnsPerSecond, placesMax, claimWindowMs, changesMax, resumed (1: the
-- rounds before this one failed)
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local term = tonumber(ARGV[3])
if term < room.term then return { 'term', room.term } end
if term > room.term or ARGV[9] == '1' then
	-- The time nobody led the room is added to what was left to everybody.
	local away = room.now - room.aliveAt
	if room.aliveAt > 0 and room.frozenSince == 0 and away > 1000 then
		noteStop(room.aliveAt, room.now)
		room.run = room.now - room.stopped
	end
	room.term = term
end
fill()
room.aliveAt = room.now
room.filledAt = room.now
room.passRate, room.turnRate, room.placesMax = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
if room.fresh == 0 and room.passRate > 0 then
	room.fresh, room.passTokens, room.turnTokens = 1, storeOf(room.passRate), storeOf(room.turnRate)
end
-- A rate that falls takes the stores down with it at once.
room.passTokens = math.min(storeOf(room.passRate), room.passTokens)
room.turnTokens = math.min(storeOf(room.turnRate), room.turnTokens)

local claimWindowMs, changesMax = tonumber(ARGV[7]), tonumber(ARGV[8])
if room.frozenSince == 0 then
	for _, number in ipairs(call('ZRANGEBYSCORE', CALLED, '-inf', int(room.run), 'LIMIT', 0, changesMax)) do
		move(number, read(number), 'e')
		room.missed = room.missed + 1
	end
	for _, number in ipairs(call('ZRANGEBYSCORE', ADMITTED, '-inf', int(room.run), 'LIMIT', 0, changesMax)) do
		move(number, read(number), 'e')
	end
end

-- Nobody is called while called and inside together reach the cap. Returners first, then by number.
local count = math.min(math.floor(room.turnTokens + 1e-6), room.placesMax - insideCount(), changesMax)
for _, lane in ipairs({ LATE, WAITING }) do
	if count < 1 then break end
	local last = lane == LATE and '+inf' or int(callableMax())
	for _, number in ipairs(call('ZRANGEBYSCORE', lane, '-inf', last, 'LIMIT', 0, count)) do
		local ticket = read(number)
		unlist(number, ticket)
		ticket.state, ticket.due = 'c', room.run + claimWindowMs
		enlist(number, ticket)
		put(number, ticket)
		room.turnTokens = room.turnTokens - 1
		room.calls = room.calls + 1
		count = count - 1
	end
end
raiseMark()
local gone = call('ZCARD', GONE)
if gone > 20000 then call('ZREMRANGEBYRANK', GONE, 0, gone - 20001) end
save()
return { 'ok' }
