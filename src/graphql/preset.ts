// How PostGraphile makes the analysts' schema: read only, from the views of `analytics`
// alone, as the role that will ask, so that what it can't read isn't in the schema.
import { PgAggregatesPreset } from '@graphile/pg-aggregates'
import { PgSimplifyInflectionPreset } from '@graphile/simplify-inflection'
import type pg from 'pg'
import { makePgService } from 'postgraphile/adaptors/pg'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter'
import { AggregatesPlugin } from './aggregates.ts'
import { graphqlPath } from './guard.ts'
import { idePreset } from './ide.ts'
import { NamesPlugin } from './names.ts'
import { PagesPlugin } from './pages.ts'
import { SchemaTagsPlugin } from './schema_tags.ts'

// Enough to ask any of our questions; the rest of them match patterns, row by row.
const operators = [
  'isNull',
  'equalTo',
  'notEqualTo',
  'in',
  'notIn',
  'lessThan',
  'lessThanOrEqualTo',
  'greaterThan',
  'greaterThanOrEqualTo',
]

export function createPreset(
  pool: pg.Pool,
  queryMs: number,
  plugins: GraphileConfig.Plugin[],
): GraphileConfig.Preset {
  return {
    extends: [
      PostGraphileAmberPreset,
      PgSimplifyInflectionPreset,
      PgAggregatesPreset,
      PostGraphileConnectionFilterPreset,
      idePreset,
    ],
    plugins: [AggregatesPlugin, NamesPlugin, PagesPlugin, SchemaTagsPlugin, ...plugins],
    disablePlugins: [
      // Global ids, and a query inside the query: nobody here reads by them.
      'NodePlugin',
      'AddNodeInterfaceToSuitableTypesPlugin',
      'NodeAccessorPlugin',
      'PgTableNodePlugin',
      'PgNodeIdAttributesPlugin',
      'RegisterQueryNodePlugin',
      'QueryQueryPlugin',
      // Nothing is written and nothing is pushed.
      'MutationPlugin',
      'SubscriptionPlugin',
      // A schema with a part missing is worse than none.
      'SwallowErrorsPlugin',
      // There is one way to filter, by a row's own columns. Related rows and their
      // aggregates neither filter nor sort: they would be looked up for every row.
      'PgConditionArgumentPlugin',
      'PgConditionCustomFieldsPlugin',
      'PgAggregatesOrderByAggregatesPlugin',
      'PgAggregatesFilterRelationalAggregatesPlugin',
      'PgConnectionArgFilterBackwardRelationsPlugin',
      'PgConnectionArgFilterForwardRelationsPlugin',
      'PgConnectionArgFilterCompositeTypeAttributesPlugin',
      'PgConnectionArgFilterComputedAttributesPlugin',
      'PgConnectionArgFilterRecordFunctionsPlugin',
    ],
    schema: {
      defaultBehavior:
        '-insert -update -delete -mutationField -queryField -list -resource:connection:backwards',
      connectionFilterAllowedOperators: operators,
      connectionFilterArrays: false,
    },
    pgServices: [
      makePgService({
        pool,
        schemas: ['analytics'],
        pubsub: false,
        pgSettings: ({ analyst }) => analyst?.settings ?? { transaction_read_only: 'on' },
      }),
    ],
    grafserv: { graphqlPath, graphiqlOnGraphQLGET: false, websockets: false, watch: false },
    // The statements' own time-out comes first, and says so.
    grafast: { explain: false, timeouts: { planning: 1000, execution: queryMs + 1000 } },
  }
}
