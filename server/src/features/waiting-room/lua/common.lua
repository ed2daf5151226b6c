-- Stands in front of every script of the queue. All keys of a room share one hash tag, so they lie on one node.
local META, TICKETS, HOLDERS, WAITING, LATE = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local CALLED, ADMITTED, GONE, DIRTY, BLOCKS, ORIGINS = KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local call = redis.call

-- Lua writes large numbers as 1e+12; times and counts are written out.
local function int(value) return string.format('%.0f', value) end

local fields = {
	'epoch', 'now', 'frozenSince', 'stopped', 'next', 'limit', 'mark', 'seq', 'heldAt', 'aliveAt', 'placesMax',
	'passRate', 'turnRate', 'passTokens', 'turnTokens', 'filledAt', 'fresh', 'joined', 'calls', 'claimed',
	'missed', 'passes', 'done', 'expired', 'left', 'term', 'placing', 'placingAt'
}
-- The room as it stands; `save` writes back what differs.
local room, stored = {}, {}

-- Times are this server's own, moved by the laboratory's offset (0 in service), and never run backwards.
local function readTime(offset)
	local time = call('TIME')
	room.now = math.max(room.now, time[1] * 1000 + math.floor(time[2] / 1000) + offset)
	-- Claim windows and passes are kept on a clock that stands still while the room's clocks do.
	room.run = (room.frozenSince > 0 and room.frozenSince or room.now) - room.stopped
end

local function loadRoom()
	local values = call('HMGET', META, unpack(fields))
	for i, name in ipairs(fields) do
		stored[name] = values[i]
		room[name] = tonumber(values[i]) or 0
	end
end

-- Every script begins so: nil, or the refusal to return.
local function open(epoch, offset)
	loadRoom()
	if room.epoch == 0 or call('HEXISTS', META, 'restoring') == 1 then return { 'empty' } end
	if room.epoch ~= tonumber(epoch) then return { 'epoch', room.epoch } end
	readTime(tonumber(offset))
	return nil
end

local function save()
	local changed = {}
	for _, name in ipairs(fields) do
		local value = room[name]
		local text = value == math.floor(value) and int(value) or string.format('%.6f', value)
		if text ~= stored[name] then
			changed[#changed + 1] = name
			changed[#changed + 1] = text
		end
	end
	if #changed > 0 then call('HSET', META, unpack(changed)) end
end

-- States: w waiting, c called, a admitted, d done, e expired, l left.
local function isLiving(ticket) return ticket.state == 'w' or ticket.state == 'c' or ticket.state == 'a' end

local pattern = '^(%a)|(%d+)|(%d)|(%d+)|(%d+)|(%d+)|(%d+)|(%d)|(%d+)|(.*)$'
local function parse(text)
	local state, party, late, joinedAt, claimedAt, due, extended, written, version, holder = string.match(text, pattern)
	return {
		state = state, party = tonumber(party), late = late == '1', joinedAt = tonumber(joinedAt),
		claimedAt = tonumber(claimedAt), due = tonumber(due), extended = tonumber(extended),
		-- 1: the pass is in PostgreSQL, so its holder may hear of it.
		written = written == '1', version = tonumber(version), holder = holder
	}
end
local function read(number)
	local text = number and call('HGET', TICKETS, number)
	return text and parse(text) or nil
end
local function write(number, ticket)
	call('HSET', TICKETS, number, table.concat({
		ticket.state, int(ticket.party), ticket.late and '1' or '0', int(ticket.joinedAt), int(ticket.claimedAt),
		int(ticket.due), int(ticket.extended), ticket.written and '1' or '0', int(ticket.version), ticket.holder
	}, '|'))
end

-- What changes gets a new version and waits to be copied to PostgreSQL.
local function put(number, ticket)
	room.seq = room.seq + 1
	ticket.version = room.seq
	write(number, ticket)
	call('ZADD', DIRTY, int(room.seq), number)
end

local function laneOf(ticket) return ticket.late and LATE or WAITING end
local ended = { d = 'done', e = 'expired', l = 'left' }

-- A pass given back, or moved, is told to every instance: the check in front of booking asks nobody.
local function forget(number, holder) call('ZADD', GONE, int(room.seq + 1), number .. ':' .. holder) end

-- Takes a ticket out of the set of its state, or puts it into it.
local function unlist(number, ticket)
	if ticket.state == 'w' then
		call('ZREM', laneOf(ticket), number)
		-- Adopted below the mark: it waits in the late lane, whatever it was.
		if not ticket.late then call('ZREM', LATE, number) end
	elseif ticket.state == 'c' then
		call('ZREM', CALLED, number)
	elseif ticket.state == 'a' then
		call('ZREM', ADMITTED, number)
	else
		room[ended[ticket.state]] = room[ended[ticket.state]] - 1
	end
end
local function enlist(number, ticket)
	if ticket.state == 'w' then
		local lane = (ticket.late or tonumber(number) <= room.mark) and LATE or WAITING
		call('ZADD', lane, number, number)
	elseif ticket.state == 'c' then
		call('ZADD', CALLED, int(ticket.due), number)
	elseif ticket.state == 'a' then
		call('ZADD', ADMITTED, int(ticket.due), number)
	else
		room[ended[ticket.state]] = room[ended[ticket.state]] + 1
	end
end
local function move(number, ticket, state)
	unlist(number, ticket)
	if ticket.state == 'a' and state == 'l' then forget(number, ticket.holder) end
	ticket.state = state
	enlist(number, ticket)
	put(number, ticket)
end

local function waitingCount() return call('ZCARD', WAITING) + call('ZCARD', LATE) end
local function insideCount() return call('ZCARD', CALLED) + call('ZCARD', ADMITTED) end

-- While a drawn list gets its numbers, nobody from its first missing number on is called or passed over.
local placingMs = 60000
local function callableMax()
	local placing = room.placing > 0 and room.now - room.placingAt < placingMs
	return placing and room.placing - 1 or room.next
end
-- Every main-lane number up to the mark has been called or has gone; it never falls.
local function raiseMark()
	local first = call('ZRANGE', WAITING, 0, 0)[1]
	room.mark = math.max(room.mark, math.min(first and first - 1 or room.next, callableMax()))
end

-- The clocks of turns and passes stood still; passes signed before are checked with these times.
local function noteStop(from, to)
	local stops = (call('HGET', META, 'stops') or '') .. int(from) .. '-' .. int(to) .. ','
	if #stops > 4000 then stops = string.sub(stops, string.find(stops, ',') + 1) end
	call('HSET', META, 'stops', stops)
	room.stopped = room.stopped + to - from
end

local function positionOf(number, ticket)
	if ticket.state ~= 'w' then return 0 end
	local rank = call('ZRANK', LATE, number)
	if rank then return rank + 1 end
	return math.max(1, number - room.mark)
end

-- A ticket as it goes out; due times in room time.
local function reply(number, ticket)
	local shift = room.stopped + (room.frozenSince > 0 and room.now - room.frozenSince or 0)
	return {
		tonumber(number), ticket.state, ticket.party, ticket.late and 1 or 0, ticket.joinedAt, ticket.claimedAt,
		ticket.due > 0 and ticket.due + shift or 0, ticket.extended, ticket.written and 1 or 0,
		positionOf(number, ticket), ticket.holder
	}
end

-- Tokens gather at the rates the leader last set, and only for as long as a leader may be away unnoticed.
local leaderGraceMs = 5000
local function storeOf(rate) return rate > 0 and math.max(1, rate * 0.25) or 0 end
local function fill()
	local till = math.min(room.now, room.aliveAt + leaderGraceMs)
	local seconds = math.max(0, till - room.filledAt) / 1000
	room.filledAt = math.max(room.filledAt, till)
	room.passTokens = math.min(storeOf(room.passRate), room.passTokens + room.passRate * seconds)
	room.turnTokens = math.min(storeOf(room.turnRate), room.turnTokens + room.turnRate * seconds)
end
local function hasToken(tokens) return tokens >= 1 - 1e-6 end

-- The next number in order, or nil when a block must first be reserved in PostgreSQL.
local function nextNumber()
	while room.next >= room.limit do
		local block = call('ZPOPMIN', BLOCKS)[1]
		if not block then return nil end
		local from, to = string.match(block, '^(%d+)-(%d+)$')
		-- A block that comes too late is a gap: its numbers would stand in front of people who came before.
		if tonumber(from) > room.next then
			room.next, room.limit = from - 1, tonumber(to)
		end
	end
	room.next = room.next + 1
	return int(room.next)
end

-- The further state is better, else the smaller number.
local ranks = { a = 3, c = 2, w = 1 }
local function isBetter(number, ticket, otherNumber, other)
	if ranks[ticket.state] ~= ranks[other.state] then return ranks[ticket.state] > ranks[other.state] end
	return tonumber(number) < tonumber(otherNumber)
end
