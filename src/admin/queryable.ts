// A connection or a pool: for a single statement they are alike.
import type pg from 'pg'

export type Queryable = {
  query<Row extends pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>
}
