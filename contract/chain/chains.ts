/** The state of the networks as the operator's nodes tell it. */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { timestampSchema } from '../base/timestamp.ts'
import { blockSkipSchema, networkSchema } from './skips.ts'

/**
 * The states of a network with a node. `UNCHECKED` before the first look, `STOPPED` when no look
 * ended for longer than {@link LOOK_GAP_SECONDS}.
 */
export const chainStates = [
  'UNCHECKED',
  'FINE',
  'AWAY',
  'BEHIND',
  'STUCK',
  'UNFINAL',
  'OTHER_CHAIN',
  'WRONG_TOKEN',
  'TOO_NEW',
  'NO_TRACES',
  'LYING',
  'STOPPED',
] as const
export type ChainState = (typeof chainStates)[number]

/** Longest time between the ends of two looks. One that catches up ends within two minutes. */
export const LOOK_GAP_SECONDS = 300

export const chainSchema = z.object({
  network: networkSchema,
  state: z.enum(chainStates),
  /** The node's own words or the difference, in English. Empty in the state `FINE`. */
  words: z.string(),
  /** The start of the state. Null before the first look. */
  since: timestampSchema.nullable(),
  /** The last look, and null before the first. */
  checkedAt: timestampSchema.nullable(),
  /** The number of the newest block. Null before the node first told it. */
  height: z.number().int().nullable(),
  /** The number of the newest block that the network holds for final. Null where it tells none. */
  finalHeight: z.number().int().nullable(),
  /** The moment at which the newest block was first seen. */
  heightSince: timestampSchema.nullable(),
  /** The last comparison of balances with payments. Null before the first, and in bitcoin. */
  balancesAt: timestampSchema.nullable(),
  /** The block that the last look could not read, directly after the last that was. */
  unreadHeight: z.number().int().nullable(),
  /** Blocks that two super admins left out, the newest first. */
  skips: z.array(blockSkipSchema),
})
export type Chain = z.infer<typeof chainSchema>

export const listChains = {
  method: 'GET',
  path: '/api/v1/admin/chains',
  access: 'staff',
  summary:
    'List the networks with a node of the operator, and the state of each. Empty without `CHAINS`',
  body: z.array(chainSchema),
} as const satisfies Endpoint
