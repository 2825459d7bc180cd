// The questions of docs/analytics.md: a numbered heading and the query under it.

export type Question = { number: number; title: string; query: string }

export function questionsOf(page: string): Question[] {
  return [...page.matchAll(/^### (\d+)\. (.+)\n([\s\S]*?)^```graphql\n([\s\S]*?)^```/gm)].map(
    ([, number, title = '', , query = '']) => ({ number: Number(number), title, query }),
  )
}
