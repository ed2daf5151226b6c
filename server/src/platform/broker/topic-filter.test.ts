import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filterCovers, isPublishTopic, topicMatches } from './topic-filter.ts';

it.each([
	['a/b', 'a/b', true],
	['a/+', 'a/b', true],
	['a/+', 'a/b/c', false],
	['a/#', 'a', true],
	['a/#', 'a/b/c', true],
	['+/b', 'a/b', true],
	['#', '$SYS/x', false],
	['+/x', '$SYS/x', false],
	['$SYS/#', '$SYS/x', true],
	['a/b', 'a/B', false],
	['a', 'a/', false],
	['a/+', 'a/', true]
])('%s takes in %s: %s', (filter, topic, expected) => {
	expect(topicMatches(filter, topic)).toBe(expected);
});

it.each([
	['a/#', 'a/+/c', true],
	['a/+', 'a/#', false],
	['a/+', 'a/+', true],
	['a/b', 'a/+', false],
	['#', '#', true],
	['a/b/c', 'a/#', false]
])('%s covers the filter %s: %s', (allowed, requested, expected) => {
	expect(filterCovers(allowed, requested)).toBe(expected);
});

const level = fc.constantFrom('a', 'b', 'c', '');
const filter = fc
	.tuple(fc.array(fc.oneof(level, fc.constant('+')), { minLength: 1, maxLength: 4 }), fc.boolean())
	.map(([levels, open]) => [...levels, ...(open ? ['#'] : [])].join('/'));
const topic = fc.array(level, { minLength: 1, maxLength: 5 }).map((levels) => levels.join('/'));

it('never lets a covered filter bring a topic that the allowed one does not', () => {
	fc.assert(
		fc.property(filter, filter, topic, (allowed, requested, name) => {
			fc.pre(filterCovers(allowed, requested) && topicMatches(requested, name));
			expect(topicMatches(allowed, name)).toBe(true);
		})
	);
});

it.each(['', 'a/+', '#', 'a\0b', 'x'.repeat(65_536)])('is no topic to publish to: %j', (name) => {
	expect(isPublishTopic(name)).toBe(false);
});
