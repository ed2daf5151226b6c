/** Refusals around the hand-over of a shift. */
export const handoverErrors = {
	handover_taken: {
		status: 409,
		en: 'Somebody took over this shift before: look again.',
		ar: 'استلم شخص آخر هذه المناوبة من قبل. حدّث الصفحة.'
	}
} as const;
