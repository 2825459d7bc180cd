// Tests run as ES modules on real PostgreSQL; swc only strips the types.
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024', experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/setup/global.ts',
  globalTeardown: '<rootDir>/test/setup/global_end.ts',
  // Two cores on the smallest machine; PostgreSQL works beside us.
  maxWorkers: 2,
  testTimeout: 60_000,
}
