// Statistics for analysts: which aggregates there are, and by which spans of time rows
// can be grouped. Days, weeks (from Monday) and months are those of UTC, and their keys
// are dates. A list of groups is cut one past its limit, so that limits.ts can refuse it.
import type {} from '@graphile/pg-aggregates'
import type {} from 'postgraphile'
import { constant } from 'postgraphile/grafast'
import type { PgSelectSingleStep, PgSelectStep, TYPES } from 'postgraphile/@dataplan/pg'
import type { SQL } from 'postgraphile/pg-sql2'

/** Groups that one field may answer with. */
export const maxGroups = 10_000

type Sql = GraphileBuild.Build['sql']
type AggregateSpec = GraphileBuild.Build['pgAggregateSpecs'][number]
type GroupBySpec = GraphileBuild.Build['pgAggregateGroupBySpecs'][number]
type Codec = (typeof TYPES)[keyof typeof TYPES]

declare global {
  namespace GraphileBuild {
    interface AggregateSpecIds {
      median: true
      p90: true
      p95: true
    }
  }
}

// Variances serve nobody here and would double the schema.
const kept = new Set(['sum', 'distinctCount', 'min', 'max', 'average'])

function percentile(
  build: GraphileBuild.Build,
  id: 'median' | 'p90' | 'p95',
  label: string,
  fraction: SQL,
): AggregateSpec {
  const { sql, dataplanPg } = build
  const isFloat = (codec: unknown): boolean => codec === dataplanPg.TYPES.float
  return {
    id,
    humanLabel: label,
    HumanLabel: label.replace(/^./, (letter) => letter.toUpperCase()),
    isSuitableType: (codec) => codec.extensions?.isNumberLike === true,
    sqlAggregateWrap: (value, codec) => {
      const found = sql`percentile_cont(${fraction}) within group (order by ${value})`
      return isFloat(codec) ? found : sql`round((${found})::numeric, 2)`
    },
    pgTypeCodecModifier: (codec) =>
      isFloat(codec) ? dataplanPg.TYPES.float : dataplanPg.TYPES.numeric,
  }
}

function span(build: GraphileBuild.Build, unit: 'day' | 'week' | 'month'): GroupBySpec {
  const { sql, dataplanPg } = build
  const { date, timestamptz } = dataplanPg.TYPES
  const suitable: unknown[] = unit === 'day' ? [timestamptz] : [timestamptz, date]
  const truncated: Record<typeof unit, (value: SQL) => SQL> = {
    // A zone given as text is looked up for each row; one operator costs half as much.
    day: (value) => sql`(${value} at time zone 'UTC')::date`,
    week: (value) => sql`date_trunc('week', ${value} at time zone 'UTC')::date`,
    month: (value) => sql`date_trunc('month', ${value} at time zone 'UTC')::date`,
  }
  return {
    id: `truncated-to-${unit}`,
    isSuitableType: (codec) => suitable.includes(codec),
    sqlWrap: truncated[unit],
    sqlWrapCodec: () => date,
  }
}

// As the package does it: PostgreSQL has a smallest and a largest of times, too.
function alsoOfTimes(build: GraphileBuild.Build, spec: AggregateSpec): AggregateSpec {
  const { date, timestamptz } = build.dataplanPg.TYPES
  const times: unknown[] = [date, timestamptz]
  return {
    ...spec,
    isSuitableType: (codec) => spec.isSuitableType(codec) || times.includes(codec),
  }
}

function specs(build: GraphileBuild.Build): AggregateSpec[] {
  const { sql, pgAggregateSpecs } = build
  return [
    ...pgAggregateSpecs
      .filter((spec) => kept.has(spec.id))
      .map((spec) => (['min', 'max'].includes(spec.id) ? alsoOfTimes(build, spec) : spec)),
    percentile(build, 'median', 'median', sql`0.5`),
    percentile(build, 'p90', '90th percentile', sql`0.9`),
    percentile(build, 'p95', '95th percentile', sql`0.95`),
  ]
}

const countRows =
  (sql: Sql, codec: Codec) =>
  ($row: PgSelectSingleStep): unknown =>
    $row.select(sql`count(*)::int`, codec)

export const AggregatesPlugin: GraphileConfig.Plugin = {
  name: 'AggregatesPlugin',
  after: ['PgAggregatesSpecsPlugin', 'PgAggregatesAddConnectionGroupedAggregatesPlugin'],
  schema: {
    hooks: {
      build: {
        after: ['PgAggregatesSpecsPlugin'],
        callback(partial) {
          const build = partial as GraphileBuild.Build
          build.pgAggregateSpecs.splice(0, Infinity, ...specs(build))
          build.pgAggregateGroupBySpecs.splice(
            0,
            Infinity,
            span(build, 'day'),
            span(build, 'week'),
            span(build, 'month'),
          )
          return partial
        },
      },
      GraphQLObjectType_fields(fields, build, { scope, fieldWithHooks }) {
        if (!scope.isPgAggregateContainerType) return fields
        const { GraphQLInt, GraphQLNonNull } = build.graphql
        return build.extend(
          fields,
          {
            count: fieldWithHooks({ fieldName: 'count' }, () => ({
              description: 'How many rows.',
              type: new GraphQLNonNull(GraphQLInt),
              plan: countRows(build.sql, build.dataplanPg.TYPES.int) as never,
            })),
          },
          'Adding the count of rows to aggregates',
        )
      },
      GraphQLObjectType_fields_field(field, _build, { scope }) {
        if (scope.fieldName !== 'groupedAggregates' || !field.plan) return field
        const { plan } = field
        return {
          ...field,
          plan: (...context) => {
            const $groups = plan(...context) as PgSelectStep
            $groups.setFirst(constant(maxGroups + 1))
            return $groups
          },
        }
      },
    },
  },
}
