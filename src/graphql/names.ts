// Columns keep their names: `id` is the row's id, as there are no other global ids.
import type {} from 'postgraphile'

export const NamesPlugin: GraphileConfig.Plugin = {
  name: 'NamesPlugin',
  inflection: {
    // Nobody calls it; a preset that replaces it complains when it isn't there.
    add: { nodeById: (_preset, typeName) => typeName },
    replace: {
      _attributeName: (previous, _preset, details) =>
        previous?.({ ...details, skipRowId: true }) ?? '',
    },
  },
}
