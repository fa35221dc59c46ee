/**
 * The refusals of calls above a pace, and of keys for reading: a part of contract/base/refusals.ts.
 */

export type CallRefusalDetails = {
  readonly tooManyMoneyCalls: { seconds: number }
  readonly tooManyReadingCalls: { seconds: number }
}

const define = (status: number, sentence: string) => ({ status, narration: () => sentence })

export const callRefusals = {
  tooManyMoneyCalls: {
    status: 429,
    narration: ({ seconds }: CallRefusalDetails['tooManyMoneyCalls']): string =>
      `Many requests about money came in a short time. Nothing was recorded; please try again in ${seconds} s.`,
  },
  tooManyReadingCalls: {
    status: 429,
    narration: ({ seconds }: CallRefusalDetails['tooManyReadingCalls']): string =>
      `This key reads often. Please try again in ${seconds} s.`,
  },
  readingKeyOnly: define(
    403,
    'A read-only key reads the own transactions, investments, balance and statements, and does nothing else.',
  ),
  readingKeyNotFound: define(404, 'This key has ended already.'),
  tooManyReadingKeys: define(409, 'You already have ten keys. Please end one first.'),
}
