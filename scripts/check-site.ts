import { resolve } from 'node:path';
import { checkSiteFile } from '../server/src/features/site/index.ts';

/** `npm run check-site -- FILE [--ar]`: what is wrong with a site file, one sentence a line; 0 when it can be used. */
const args = process.argv.slice(2);
const language = args.includes('--ar') ? 'ar' : 'en';
const file = args.find((arg) => !arg.startsWith('-'));

if (file === undefined) {
	process.stderr.write('usage: npm run check-site -- FILE [--ar]\n');
	process.exitCode = 2;
} else {
	// npm starts scripts in the root: a relative name is meant from where the person stands.
	const checked = checkSiteFile(resolve(process.env['INIT_CWD'] ?? process.cwd(), file));
	const say = (text: string) => void process.stdout.write(`${text}\n`);
	const words =
		language === 'ar'
			? { error: 'خطأ', warning: 'تنبيه', good: 'الملف صالح للاستعمال.', bad: 'لا يمكن استعمال الملف.' }
			: {
					error: 'error',
					warning: 'warning',
					good: 'The file can be used.',
					bad: 'The file cannot be used.'
				};
	if (checked.ok) for (const text of checked.warnings) say(`${words.warning}: ${text[language]}`);
	else for (const text of checked.findings) say(`${words.error}: ${text[language]}`);
	say(checked.ok ? words.good : words.bad);
	process.exitCode = checked.ok ? 0 : 1;
}
