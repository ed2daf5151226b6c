/** Commands of `npm run sim -- NAME`; the table is the help text, too. */
const commands: Readonly<Record<string, string>> = {
	sensors: 'counters of the site: one reading each five seconds from a crowd that moves',
	replay: 'a recorded series through the broker: replay FILE --speed N|max [--device ID]',
	people: 'people who join, wait, claim and book as the story says',
	demo: 'sensors and people in step with the story, until stopped'
};

for (const [name, text] of Object.entries(commands)) process.stdout.write(`${name.padEnd(8)} ${text}\n`);
