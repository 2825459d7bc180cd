// Pages: every connection answers with 100 rows unless told, and no more than 1,000 at
// once (limits.ts refuses more). `first` can't be null, which would mean all rows.
import type {} from 'postgraphile'

export const defaultPage = 100
export const maxPage = 1000

export const PagesPlugin: GraphileConfig.Plugin = {
  name: 'PagesPlugin',
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args: {
        after: ['PgFirstLastBeforeAfterArgsPlugin'],
        callback(args, build, { scope }) {
          const { first } = args
          if (!scope.isPgFieldConnection || !first) return args
          const { GraphQLInt, GraphQLNonNull } = build.graphql
          return {
            ...args,
            first: {
              ...first,
              description: `How many rows: ${defaultPage} unless told, ${maxPage} at most.`,
              type: new GraphQLNonNull(GraphQLInt),
              defaultValue: defaultPage,
            },
          }
        },
      },
    },
  },
}
