-- Writes changes of one channel: its whole state as a hash, for whoever comes later, and the changes as an entry of
-- the stream that all channels share. Refused for an older term; a new writer, or one whose state was lost, must
-- first send everything.
-- KEYS: state, stream. ARGV: channel, term, whole (1: this is everything), entries kept, then keys and JSON texts
-- (empty: removed).
local call = redis.call
local term, whole = tonumber(ARGV[2]), ARGV[3] == '1'
local stored = tonumber(call('HGET', KEYS[1], '#term') or '0')
if stored > term then return { 'term', stored } end
if stored < term and not whole then return { 'whole' } end
if whole then call('DEL', KEYS[1]) end
local entry = { 'channel', ARGV[1], 'term', ARGV[2], 'whole', ARGV[3] }
for i = 5, #ARGV, 2 do
	if ARGV[i + 1] == '' then
		call('HDEL', KEYS[1], ARGV[i])
	else
		call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
	end
	entry[#entry + 1] = ARGV[i]
	entry[#entry + 1] = ARGV[i + 1]
end
call('HSET', KEYS[1], '#term', ARGV[2])
call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', unpack(entry))
return { 'ok' }
