-- Living tickets end. ARGV: epoch, offset, state (d or l), 'number' or 'holder', then the names ...
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
for i = 5, #ARGV do
	local number = ARGV[4] == 'holder' and call('HGET', HOLDERS, ARGV[i]) or ARGV[i]
	local ticket = read(number or nil)
	if ticket and isLiving(ticket) then move(number, ticket, ARGV[3]) end
end
raiseMark()
save()
return { 'ok' }
