-- Tickets as PostgreSQL has them; what stands here in a newer version stays. ARGV: id, offset, then tickets ...
if call('HGET', META, 'restoring') ~= ARGV[1] then return { 'lost' } end
loadRoom()
readTime(tonumber(ARGV[2]))
for i = 3, #ARGV, 11 do
	local number, ticket = ticketFrom(i)
	if merge(number, ticket) then write(number, ticket) end
end
save()
call('HSET', META, 'restoringAt', call('TIME')[1])
return { 'ok' }
