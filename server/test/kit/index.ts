export { createTestDatabase, type TestDatabase } from './test-database.ts';
export { onServer, withDatabase } from './template.ts';
export { createClock, createTestClock } from '../../src/platform/clock.ts';
export { createLog } from '../../src/platform/log.ts';
export { createTestApp, demoPassword, type TestApp } from './test-app.ts';
