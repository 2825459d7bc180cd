// Tests run as ES modules on real PostgreSQL.
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/setup/strip_types.js' },
  globalSetup: '<rootDir>/test/setup/global.ts',
  globalTeardown: '<rootDir>/test/setup/global_end.ts',
  // Two cores on the smallest machine; PostgreSQL works beside us.
  maxWorkers: 2,
  // Only what hangs is meant to meet it: machines are shared, and slow at times.
  testTimeout: 240_000,
}
