/** A kind of proposal: what may be asked, and what an approval does. */
import type { PayloadOf, ProposalKind } from '@pool/contract/agreements/proposals'
import type { Language } from '@pool/contract/base/languages'
import type { RefusalDetails } from '@pool/contract/base/refusalDetails'
import type { RefusalCode } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { MailContext } from '../../accounts/mail/send.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import type { Operation } from '../../ledger/families/movements.ts'

/** A transaction that takes one step of a proposal, and who takes it. */
export type Work = {
  readonly transaction: Kysely<Schema>
  readonly context: MailContext
  readonly by: Actor
}

export type Proposal<Kind extends ProposalKind> = {
  readonly id: string
  readonly kind: Kind
  /** The user concerned. Null without one. */
  readonly userId: string | null
  readonly payload: PayloadOf<Kind>
  readonly language: Language
  readonly reason: string
  /** The user who asked. */
  readonly askedBy: string
  /** True if there was no second person when it was asked for. */
  readonly alone: boolean
  readonly restsUntil: Date | null
}

/** A step that is recorded. */
export type Step = 'asked' | 'approved' | 'rejected' | 'withdrawn'

type PlainRefusal = Exclude<RefusalCode, keyof RefusalDetails>

type About = {
  /** At most one of a kind stands for it. */
  readonly subject: string
  readonly userId: string | null
}

/** One operation or several. */
export type Posts = Operation | readonly Operation[]

/**
 * An approval writes rows or moves money at once, or rests and has effect at the first use after
 * that. Without a second person it may rest, too, before a job puts it in force.
 */
type Effect<Kind extends ProposalKind> =
  | {
      readonly apply: (work: Work, proposal: Proposal<Kind>) => Promise<void>
      readonly aloneHours?: number
    }
  | {
      /** The refusal of a proposal without a second person. */
      readonly needsTwo: PlainRefusal
      /** The operations that the approval posts one after the other, in its own transaction. */
      readonly posts: (work: Work, proposal: Proposal<Kind>) => Promise<Posts> | Posts
    }
  | { readonly cooldownHours: number }

export type Rules<Kind extends ProposalKind> = Effect<Kind> & {
  /** True if the user concerned may have closed the account. */
  readonly evenClosed?: true
  readonly about: (payload: PayloadOf<Kind>) => About
  /** The values that fill its words, for the list and the audit trail. */
  readonly facts: (payload: PayloadOf<Kind>) => Readonly<Record<string, unknown>>
  /** Throws a refusal of what two people may not agree on now: when it is asked, and approved. */
  readonly requires?: (work: Work, proposal: Proposal<Kind>) => Promise<unknown>
  /** The refusal of a second one for its subject, if not `proposalAsked`. */
  readonly again?: PlainRefusal
  /** The refusal of the person concerned, who may neither ask nor approve, if there is one. */
  readonly own?: PlainRefusal
  /** True if another account of that person may. */
  readonly ownAccount?: true
  /** The id of the subject of its entries, if not the user concerned or the proposal. */
  readonly on?: (payload: PayloadOf<Kind>) => string
  /** The part of the payload that entries keep, if not all. */
  readonly kept?: (payload: PayloadOf<Kind>) => Readonly<Record<string, unknown>>
  /** Records a step in another way than as an agreement. */
  readonly recordStep?: (work: Work, step: Step, proposal: Proposal<Kind>) => Promise<void>
  /** Takes back an approved one. False if nothing is left of it. */
  readonly undo?: (work: Work, proposal: Proposal<Kind>) => Promise<boolean>
  /** Clears away what waited for it, once it ends without its effect. */
  readonly ended?: (work: Work, proposal: Proposal<Kind>) => Promise<void>
}
