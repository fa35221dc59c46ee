/** Blocks that two super admins leave out, since no node can read them (docs/decisions/087). */
import { z } from 'zod'
import { idSchema } from '../base/endpoint.ts'
import { type NetworkName, networks } from '../base/networks.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'

/** Most blocks of one skip. A full node keeps the balances of 128, and 500 hashes are kept. */
export const MOST_SKIPPED = 100

/** Skips of a network that are listed, newest first. */
export const SKIPS_SIZE = 20

const names = networks.map(({ name }) => name) as [NetworkName, ...NetworkName[]]
export const networkSchema = z.enum(names, { error: () => validation.fillAllFields })

const heightSchema = z
  .number({ error: () => validation.blocksNamed })
  .int(validation.blocksNamed)
  .min(1, validation.blocksNamed)
  .max(Number.MAX_SAFE_INTEGER, validation.blocksNamed)

/** The parts of a proposal to leave blocks out, without kind and reason. */
export const skipSchema = z.object({
  networkName: networkSchema,
  /** The block at which the follower stands. */
  from: heightSchema,
  to: heightSchema,
})

/**
 * Agreed and not done yet, done, needless since the block could be read, or undone since another
 * branch took the place of the blocks.
 */
export const skipStates = ['AGREED', 'SKIPPED', 'READ', 'UNDONE'] as const
export type SkipState = (typeof skipStates)[number]

export const blockSkipSchema = z.object({
  id: idSchema,
  from: z.number().int(),
  to: z.number().int(),
  state: z.enum(skipStates),
  /** The moment at which it was agreed. */
  agreedAt: timestampSchema,
  /** The moment at which the follower left the blocks out. */
  skippedAt: timestampSchema.nullable(),
  /** The emails of the two. Null after the end of an account. */
  askedBy: z.string().nullable(),
  agreedBy: z.string().nullable(),
  reason: z.string(),
})
export type BlockSkip = z.infer<typeof blockSkipSchema>
