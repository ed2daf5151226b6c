/** Whether an MQTT filter (`+`, `#`) takes in a topic. Topics that start with `$` are never taken by a leading wildcard. */
export function topicMatches(filter: string, topic: string): boolean {
	if (topic.startsWith('$') && !filter.startsWith('$')) return false;
	return filterCovers(filter, topic);
}

/** Whether everything that `requested` (a filter or a topic) could bring lies inside what `allowed` takes in. */
export function filterCovers(allowed: string, requested: string): boolean {
	const allowedLevels = allowed.split('/');
	const levels = requested.split('/');
	for (const [index, allowedLevel] of allowedLevels.entries()) {
		if (allowedLevel === '#') return true;
		const level = levels[index];
		if (level === undefined || level === '#') return false;
		if (allowedLevel !== '+' && allowedLevel !== level) return false;
	}
	return levels.length === allowedLevels.length;
}

/** Whether a text can be a topic to publish to: no wildcard, not empty, no NUL, at most 65,535 bytes. */
export function isPublishTopic(topic: string): boolean {
	return topic.length > 0 && !/[+#\0]/.test(topic) && Buffer.byteLength(topic) <= 65_535;
}
