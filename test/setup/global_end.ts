// After all tests: the server that global.ts started goes.
export default async function tearDown(): Promise<void> {
  await globalThis.stopTestDatabase?.()
}
