import type { Texts } from './texts.ts';

export const french: Texts = {
	language: 'fr',
	page: {
		title: 'Réservation de permis',
		skip: 'Aller au contenu',
		languages: 'Langues',
		simulated: 'SIMULATION : ceci n’est pas une vraie réservation',
		loading: 'Un instant…',
		noScript: {
			lines: [
				'JavaScript est désactivé dans ce navigateur : cette page ne peut pas suivre votre place toute seule.',
				'Vous pouvez prendre et garder une place sans lui : sur la page simple, vous appuyez sur un bouton pour voir où elle en est.',
				'Si vous ne pouvez pas continuer, demandez de l’aide au point d’information de l’organisateur.'
			],
			link: 'Continuer sans JavaScript'
		},
		start: {
			expectations: [
				'Vous recevez une place qui vous est gardée, même si la connexion se coupe ou si vous fermez cette page.',
				'Quand c’est votre tour, cette page vous le dit et vous avez quelques minutes pour commencer à réserver.',
				'Vous choisissez un créneau et recevez votre permis ici.'
			],
			party: 'Pour combien de personnes réservez-vous ?',
			partyHint: 'Un groupe entre ensemble avec un seul permis.',
			prepare: 'Se préparer maintenant',
			signInHint: 'Vous pouvez vous connecter maintenant, ou quand votre tour viendra.'
		},
		signIn: 'Se connecter',
		signOut: 'Se déconnecter',
		registered: {
			opens: 'Tirage au sort de l’ordre',
			keep: 'Vous n’avez pas besoin de rester sur cette page ni de l’actualiser. Votre inscription est gardée dans ce navigateur.',
			recheck: 'Comment chacun peut vérifier le tirage'
		},
		waiting: {
			heading: 'Vous êtes dans la salle d’attente et votre place est gardée',
			progress: 'Avancement de votre place',
			expectedTime: 'Attente estimée',
			keep: 'Vous n’avez pas besoin d’actualiser cette page. Si la connexion se coupe ou si vous fermez la page, votre place est gardée. Quand votre tour vient, vous avez quelques minutes pour commencer à réserver.',
			number: 'Numéro de place',
			updated: 'Actualisé à'
		},
		leave: 'Abandonner ma place',
		called: {
			heading: 'C’est votre tour',
			lead: 'Commencez à réserver dans les',
			claim: 'Commencer à réserver',
			late: 'Si le temps s’écoule avant, rejoignez de nouveau la salle : vous passerez avant les nouveaux arrivants.'
		},
		choosing: {
			timeLeft: 'Terminez la réservation dans les',
			none: 'Il n’y a pas de créneau pour le moment. Nous regardons de nouveau tout seuls.',
			back: 'Garder ma réservation telle quelle'
		},
		booked: {
			heading: 'Réservé : voici votre permis',
			place: 'Lieu',
			day: 'Jour',
			hours: 'Heures',
			party: 'Groupe',
			id: 'Numéro du permis',
			picture: 'Croquis du lieu',
			qr: 'Code du permis, pour le lecteur à la porte',
			keep: 'Montrez ce code à la porte. Vous pouvez revenir sur cette page ou imprimer le permis.',
			print: 'Imprimer le permis',
			change: 'Changer de créneau',
			cancel: 'Annuler la réservation'
		},
		off: {
			images: 'Les images sont désactivées pour un moment. Votre permis s’affiche comme toujours.',
			recommendations: 'D’autres créneaux ne sont pas proposés pour un moment : choisissez dans la liste.',
			'places-left':
				'Le nombre de places restantes n’est pas affiché pour un moment ; les créneaux complets sont marqués.',
			'fast-polls': 'Cette page s’actualise moins souvent pour un moment. Votre place est gardée.',
			'change-slot':
				'Les créneaux ne peuvent pas être changés pour un moment. Votre réservation reste, et vous pouvez l’annuler.',
			'slot-search': 'Cette liste peut avoir quelques secondes de retard pour un moment.'
		},
		ended: { join: 'Rejoindre de nouveau' }
	},
	live: {
		locale: 'fr-u-nu-latn',
		placeNames: 'en',
		titles: {
			start: 'Réservation de permis',
			registered: 'Inscription faite',
			waiting: 'En attente',
			called: '✔ C’est votre tour',
			choosing: 'Choisissez votre créneau',
			booked: 'Votre permis',
			ended: 'Votre place a pris fin'
		},
		headings: {
			open: 'Rejoignez la salle d’attente pour réserver',
			countdown: 'La réservation n’est pas encore ouverte',
			drawing: 'L’ordre est en train d’être tiré au sort',
			closed: 'La salle d’attente est fermée',
			registered: 'Votre inscription est faite',
			'registered-late': 'Votre inscription est venue après la clôture de la liste',
			choosing: 'Choisissez votre créneau',
			changing: 'Choisissez un autre créneau'
		},
		choosingLead: 'Appuyez sur un créneau pour le réserver.',
		changingLead: 'Votre réservation reste telle quelle tant que le nouveau créneau n’est pas à vous.',
		join: 'Rejoindre la salle d’attente',
		register: 'S’inscrire au tirage',
		opensAt: '{date}, {time} à votre heure',
		opensIn: 'dans {n}',
		equalChance:
			'Toute personne inscrite avant ce moment a la même chance : l’ordre est tiré au sort. Arriver tôt ne donne aucun avantage.',
		firstCome: 'Les places sont données à partir de ce moment. Inutile d’attendre sur cette page.',
		registeredCount: {
			one: '{n} personne inscrite',
			many: '{n} de personnes inscrites',
			other: '{n} personnes inscrites'
		},
		registeredLate:
			'Vous venez après les participants au tirage, dans l’ordre des inscriptions. Votre place est gardée.',
		drawing: 'Cela prend peu de temps. Votre place s’affichera ensuite ici toute seule.',
		prepared: 'Tout est prêt : nous saurons qui vous êtes quand votre tour viendra.',
		notPrepared:
			'La préparation n’est pas encore faite. Préparez-vous maintenant pour réserver vite quand votre tour viendra.',
		ahead: 'Devant vous',
		aheadAbout: 'Devant vous, environ',
		people: { one: 'personne', many: 'de personnes', other: 'personnes' },
		nobodyAhead: 'Personne n’est devant vous : vous passez ensuite',
		unknownTime: 'inconnue pour le moment',
		almostNow: 'moins d’une minute',
		lessThan: 'moins de {high}',
		about: 'environ {high}',
		between: '{low} à {high}',
		oneToTwoMinutes: '1 à 2 minutes',
		oneToTwoHours: '1 à 2 heures',
		minutes: { one: '{n} minute', other: '{n} minutes' },
		hours: { one: '{n} heure', other: '{n} heures' },
		days: { one: '{n} jour', other: '{n} jours' },
		soon: 'Votre tour approche. Gardez cette page sous les yeux.',
		rose: 'L’attente estimée a augmenté de {by} {why}',
		roseLittle: 'L’attente estimée a un peu augmenté {why}',
		slowedBy: {
			level: 'car nous allégeons la charge pour que la réservation reste ouverte à tous.',
			health: 'car nous ralentissons l’entrée pour que la réservation reste rapide.',
			manager: 'car l’équipe d’exploitation a ralenti l’entrée.',
			full: 'car ceux dont le tour est venu réservent encore.',
			other: 'car moins de personnes par seconde sont admises à réserver.'
		},
		standing: {
			paused: 'L’entrée à la réservation est en pause. Votre place est gardée.',
			closed: 'La réservation est en pause. Votre place est gardée.'
		},
		soldOut: 'Toutes les places sont prises pour le moment. Une place rendue s’affichera ici.',
		otherDays: 'Il reste des places : {days}.',
		retryIn: 'Nouvel essai dans {n}.',
		retryNow: 'Essai en cours…',
		seconds: { one: '{n} seconde', other: '{n} secondes' },
		notices: {
			offline: 'Connexion perdue. Votre place est gardée, inutile d’actualiser.',
			busy: 'Très forte affluence. Votre place est gardée.',
			'queue-full': 'La salle d’attente est pleine pour le moment.',
			'joins-closed':
				'Aucune nouvelle place n’est donnée pour le moment. Les places déjà prises sont gardées.',
			'booking-closed': 'La réservation est en pause. Votre place est gardée.',
			verification:
				'Pour le moment, seuls les permis sont contrôlés aux portes. Votre place est gardée et votre permis est valable.',
			'not-open-yet': 'La salle d’attente n’est pas encore ouverte.',
			closed: 'La salle d’attente est fermée et ne donne plus de places.',
			'slot-full':
				'Ce créneau s’est rempli avant votre réservation. Choisissez-en un autre : c’est toujours votre tour.',
			'quota-full':
				'Les places prévues pour votre groupe sur ce créneau sont prises. Choisissez-en un autre : c’est toujours votre tour.',
			'place-filling':
				'Ce lieu est très fréquenté en ce moment : les réservations pour les prochaines heures y sont ralenties. Choisissez un autre créneau ou réessayez un peu plus tard.',
			'already-booked': 'Vous avez déjà un permis : celui-ci.',
			'not-eligible':
				'La réservation n’est pas possible : la vérification d’éligibilité n’a pas accepté la demande. Adressez-vous à l’organisateur.',
			'no-identity':
				'Nous ne savons pas qui réserve. Connectez-vous chez l’organisateur et ouvrez cette page depuis son site.',
			'sign-in-off':
				'La connexion n’est pas mise en place sur ce site : rien ne peut être réservé ici. Merci de prévenir l’organisateur.',
			'sign-in-away':
				'Le service de connexion ne répond pas. Vous pouvez prendre une place et vous connecter quand votre tour viendra.',
			'sign-in-first': 'Connectez-vous d’abord, s’il vous plaît.',
			'sign-in-failed': 'La connexion n’a pas réussi. Essayez encore une fois.',
			'signed-out': 'Votre connexion a expiré. Votre place est gardée : connectez-vous de nouveau.',
			'no-storage':
				'Ce navigateur ne garde rien. Votre place ne vit que tant que cette page est ouverte : laissez-la ouverte ou utilisez une fenêtre ordinaire.',
			cancelled: 'La réservation est annulée et la place est rendue à d’autres.',
			changed: 'Votre réservation a été changée. L’ancien permis n’est plus valable.',
			'change-off': 'Le changement n’est pas possible pour le moment. Votre réservation reste telle quelle.',
			left: 'Vous avez abandonné votre place.',
			'pass-turn': 'Votre droit de réserver arrive dans un instant.',
			failed: 'Une erreur s’est produite chez nous. Votre place est gardée.'
		},
		reason: 'Raison donnée : {reason}',
		endings: {
			'turn-expired': {
				heading: 'Votre tour est passé',
				text: 'Votre tour est venu et la réservation n’a pas commencé à temps. Rejoignez de nouveau la salle : vous passerez avant les nouveaux arrivants.'
			},
			'pass-expired': {
				heading: 'Le temps de réservation est écoulé',
				text: 'Le temps s’est écoulé avant la fin de la réservation. Rejoignez de nouveau la salle pour une autre place.'
			},
			restarted: {
				heading: 'La salle d’attente a été relancée',
				text: 'L’ancienne place n’est plus valable. Rejoignez de nouveau la salle pour en recevoir une.'
			},
			'not-yours': {
				heading: 'Cette place n’appartient pas à ce navigateur',
				text: 'La place gardée ici est à une autre personne ou n’existe plus. Rejoignez la salle pour avoir la vôtre.'
			}
		},
		questions: {
			cancel: {
				heading: 'Annuler cette réservation ?',
				lead: 'Votre place est rendue à d’autres et ce permis ne permettra pas d’entrer. Pour réserver de nouveau, vous rejoindrez la salle d’attente.',
				yes: 'Oui, annuler la réservation',
				no: 'Non, garder la réservation'
			},
			leave: {
				heading: 'Abandonner votre place ?',
				lead: 'Cette place ne peut pas être reprise. Si vous revenez plus tard, vous repartez de la fin.',
				yes: 'Oui, l’abandonner',
				no: 'Non, garder ma place'
			},
			change: {
				heading: 'Changer pour ce créneau ?',
				lead: '{slot}. Vous recevez un nouveau permis et l’actuel n’est plus valable.',
				yes: 'Oui, changer',
				no: 'Non, revenir'
			}
		},
		placesLeft: { one: '{n} place libre', many: '{n} de places libres', other: '{n} places libres' },
		full: 'complet',
		offered: 'libre à la place',
		hoursFromTo: '{from} à {to}',
		gregorian: '{date} (grégorien)',
		hijri: '{date} (hégire, Oumm al-Qoura)',
		partyOf: { one: '{n} personne', other: '{n} personnes' },
		working: 'Un instant…'
	}
};
