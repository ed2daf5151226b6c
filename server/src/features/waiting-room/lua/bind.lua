-- The place of a browser joins an account; of two living tickets the better one stays.
-- ARGV: epoch, offset, from, account. Answers the account's ticket, then number, ticket as stored of both.
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local from, account = ARGV[3], ARGV[4]
local theirs, own = call('HGET', HOLDERS, from), call('HGET', HOLDERS, account)
local anonymous, mine = read(theirs or nil), read(own or nil)
local answer = 0
if from == account or not anonymous or not isLiving(anonymous) then
	if mine then answer = reply(own, mine) elseif anonymous then answer = reply(theirs, anonymous) end
	return mine and { 'ok', answer, own, call('HGET', TICKETS, own) } or { 'ok', answer }
end
if mine and isLiving(mine) and isBetter(own, mine, theirs, anonymous) then
	move(theirs, anonymous, 'l')
	answer = reply(own, mine)
else
	if mine and isLiving(mine) then move(own, mine, 'l') end
	-- A pass is signed for its holder: the old one is void, and the new one must be written before it is told.
	if anonymous.state == 'a' then
		forget(theirs, from)
		anonymous.written = false
	end
	anonymous.holder = account
	call('HDEL', HOLDERS, from)
	call('HSET', HOLDERS, account, theirs)
	put(theirs, anonymous)
	answer = reply(theirs, anonymous)
end
raiseMark()
save()
local answers = { 'ok', answer, theirs, call('HGET', TICKETS, theirs) }
if mine then
	answers[5], answers[6] = own, call('HGET', TICKETS, own)
end
return answers
