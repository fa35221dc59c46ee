/** The refusals about statements, for the catalogue of refusals.ts. */
export const statementRefusals = {
  tooManyStatements: {
    status: 429,
    narration: ({ minutes }: { readonly minutes: number }) =>
      `You asked for many statements. Please try again in ${minutes} min.`,
  },
  statementArchived: {
    status: 409,
    narration: (_: undefined) =>
      'Movements of that time are in the operator’s archive. Please choose a later month or year.',
  },
  statementNotFound: {
    status: 404,
    narration: (_: undefined) =>
      'There is no statement of that time. Please choose another month or year.',
  },
}
