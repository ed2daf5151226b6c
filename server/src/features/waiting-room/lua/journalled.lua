-- PostgreSQL holds these versions now. ARGV: epoch, offset, how many origins, origins ..., then number, version ...
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local origins = tonumber(ARGV[3])
for i = 4, 3 + origins do
	local text = call('HGET', ORIGINS, ARGV[i])
	if text then
		local list = cjson.decode(text)
		list.saved = true
		call('HSET', ORIGINS, ARGV[i], cjson.encode(list))
	end
end
for i = 4 + origins, #ARGV, 2 do
	if tonumber(call('ZSCORE', DIRTY, ARGV[i]) or 0) == tonumber(ARGV[i + 1]) then call('ZREM', DIRTY, ARGV[i]) end
end
return { 'ok' }
