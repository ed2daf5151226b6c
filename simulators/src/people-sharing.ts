import type { Answer } from './people-api.ts';
import { isForNow, type Person } from './people-person.ts';

/** The links of place and pass are passed on: somebody else opens them, and must get nowhere. */
export async function shareLinks(person: Person, ticket: string, token: string): Promise<void> {
	const { api, user, watch } = person;
	const other = `${user}-other`;
	const stranger = { user: other, browserKey: null };
	const slots = await api.slots();
	const slot = slots.ok ? (slots.body.slots.find(({ full }) => !full)?.id ?? 1) : 1;
	const judge = (answer: Answer<unknown>, kind: 'sharedPassWorked' | 'sharedPlaceShown') => {
		if (answer.ok) watch.fault(kind);
		else if (answer.status === 403) watch.tried('a shared link was refused');
		else
			watch.tried(
				isForNow(answer) ? 'a shared link met a busy server' : `a shared link met ${answer.status}`
			);
	};
	judge(await api.status(stranger, ticket), 'sharedPlaceShown');
	judge(await api.claim(stranger, ticket), 'sharedPassWorked');
	judge(await api.book(other, token, slot), 'sharedPassWorked');
}
