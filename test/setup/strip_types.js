// Jest's transform of TypeScript: Node's own type stripping, as in production. Types
// become white space, so that lines and columns stay what they are in the source.
import { stripTypeScriptTypes } from 'node:module'

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
}
