// Tests run as ES modules on real PostgreSQL.
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/setup/strip_types.js' },
  globalSetup: '<rootDir>/test/setup/global.ts',
  globalTeardown: '<rootDir>/test/setup/global_end.ts',
  // Two cores on the smallest machine; PostgreSQL works beside us.
  maxWorkers: 2,
  testTimeout: 60_000,
}
