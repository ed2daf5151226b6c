-- Tickets by number, or by holder. ARGV: epoch, offset, 'number' or 'holder', then the names ...
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local answers = { 'ok' }
for i = 4, #ARGV do
	local number = ARGV[3] == 'holder' and call('HGET', HOLDERS, ARGV[i]) or ARGV[i]
	local ticket = read(number or nil)
	answers[#answers + 1] = ticket and reply(number, ticket) or 0
end
return answers
