// Endpoints as the rows of a table of tests, for rules that hold for all of them.
import type { Endpoint } from '../../src/http/endpoint.ts'

/** A well-formed id that no record has. */
export const aUuid = '019a4c1e-7d2b-7c3a-9f00-5b8e2d1c4a60'

/** Operation and endpoint, for `it.each`. */
export const named = (some: Endpoint[]) => some.map((one) => [one.operation, one] as const)

/** The path of an endpoint with an id for each of its parameters. */
export const pathOf = ({ path }: Endpoint): string => path.replaceAll(/\{\w+\}/g, aUuid)
