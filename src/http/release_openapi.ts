// `npm run openapi:release`: writes today's OpenAPI document down as the released one.
// From then on a test refuses whatever would break a client of it.
import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { openApiDocument } from './openapi.ts'

new Command('openapi:release')
  .description('Writes the OpenAPI document of this version to docs/openapi.released.json.')
  .parse()

const file = new URL('../../docs/openapi.released.json', import.meta.url)
const document = openApiDocument()
writeFileSync(file, `${JSON.stringify(document)}\n`)
console.log(`wrote docs/openapi.released.json, version ${document.info.version}`)
