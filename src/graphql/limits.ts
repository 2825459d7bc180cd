// The limits of a query as plug-ins of PostGraphile: depth where it is validated, cost
// before it runs, groups and errors when it has run.
import { depthLimit } from '@graphile/depth-limit'
import type { Logger } from 'pino'
import { type ExecutionResult, GraphQLError } from 'postgraphile/graphql'
import { maxGroups } from './aggregates.ts'
import { requireAffordable } from './cost.ts'
import { publicError } from './errors.ts'
import { refusal } from './refusal.ts'

// The second is for introspection, which nests as deep as types do in clients' queries.
const depths = {
  maxDepth: 12,
  maxIntrospectionDepth: 16,
  maxDepthByFieldCoordinates: { '__Type.ofType': 10 },
  revealDetails: true,
}

export function createLimitsPlugin(log: Logger): GraphileConfig.Plugin {
  return {
    name: 'LimitsPlugin',
    grafserv: {
      middleware: {
        setPreset(next, event) {
          event.validationRules.push(depthLimit(depths))
          return next()
        },
      },
    },
    grafast: {
      middleware: {
        execute: async (next, { args }) => {
          const requestId = args.requestContext?.requestId ?? ''
          const result = await withinLimits(args, async () => next() as Promise<ExecutionResult>)
          if (!result.errors) return result
          const errors = result.errors.map((error) => publicError(error, requestId, log))
          return { ...result, errors }
        },
      },
    },
  }
}

async function withinLimits(
  args: Parameters<typeof requireAffordable>[0],
  execute: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  try {
    requireAffordable(args)
    const result = await execute()
    finishGroups(result.data)
    return result
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  }
}

// Groups come in no order: by their keys they can be read.
function finishGroups(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (value.length > maxGroups) {
      throw refusal('too_many_groups', `More than ${maxGroups} groups: filter, or group by less.`)
    }
    if (value.every(hasKeys)) value.sort(byKeys)
  }
  for (const entry of Object.values(value)) finishGroups(entry)
}

type Group = { keys: (string | null)[] }

const hasKeys = (value: unknown): value is Group =>
  Array.isArray((value as Partial<Group> | null)?.keys)

function byKeys(a: Group, b: Group): number {
  const index = a.keys.findIndex((key, at) => key !== b.keys[at])
  const [left, right] = [a.keys[index] ?? null, b.keys[index] ?? null]
  if (left === right) return 0
  if (left === null || right === null) return left === null ? 1 : -1
  return left < right ? -1 : 1
}
