/** Proposals: one person asks, and a second one decides, where there are two. */
import { z } from 'zod'
import { inviteeSchema } from '../accounts/invites.ts'
import { roleTypes } from '../accounts/users.ts'
import { coins } from '../base/assets.ts'
import { type Endpoint, idSchema, idsSchema, ownerSchema } from '../base/endpoint.ts'
import { amountSchema, textSchema } from '../base/fields.ts'
import type { Language } from '../base/languages.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { skipSchema } from '../chain/skips.ts'
import { namedClasses, ownAccounts } from '../coins/custody.ts'
import { repaymentsSchema } from '../lending/windDown.ts'
import { planTermsSchema } from '../money/planVersions.ts'
import type { AuditSubject } from '../reports/auditSubjects.ts'
import type { CalledProposal } from './calledProposals.ts'
import { loanProposals } from './loanProposals.ts'

const PROPOSALS = '/api/v1/admin/proposals'

/** Days for which a proposal can be approved. A rate can for an hour. */
export const PROPOSAL_DAYS = 7

/** Coins other than none, with a sign for those that left. */
const COINS = /^-?(?=.*[1-9])\d{1,20}(\.\d{1,18})?$/

const reason = textSchema().min(1, validation.reasonRequired)
const userId = idSchema
const askSchema = z.discriminatedUnion('kind', [
  z.object({ userId, reason, kind: z.enum(['GRANT', 'REVOKE']), role: z.enum(roleTypes) }),
  z.object({ userId, reason, kind: z.enum(['SUSPEND', 'RESUME', 'RESET_FACTORS']) }),
  inviteeSchema.extend({ reason, kind: z.literal('INVITE') }),
  z.object({
    userId,
    reason,
    kind: z.literal('WRITE_OFF'),
    /** The deposit that was taken back. */
    claimId: idSchema,
    /** The debt, as it was shown. */
    amount: amountSchema,
  }),
  z.object({
    userId,
    reason,
    kind: z.literal('RETURN_WITHDRAWAL'),
    /** The approved or sent withdrawal. */
    transactionId: idSchema,
    /** Its amount, as it was shown. */
    amount: amountSchema,
  }),
  z.object({
    reason,
    kind: z.literal('OWN_ADDRESS'),
    networkName: textSchema().min(1, validation.fillAllFields),
    address: textSchema().min(1, validation.fillAllFields),
    class: z.enum(namedClasses),
  }),
  z.object({
    reason,
    kind: z.literal('OPENING'),
    networkName: textSchema().min(1, validation.fillAllFields),
    asset: z.enum(coins, { error: () => validation.fillAllFields }),
    /** The class of the addresses that hold the coins. */
    account: z.enum(ownAccounts),
    /** Whole coins in decimal text. Below zero, as many left before the product read them. */
    amount: z.string().trim().regex(COINS, validation.coinsDecimal),
  }),
  z.object({
    reason,
    kind: z.literal('SETTLE_SPENDING'),
    /** The alarm of coins that nothing explains. */
    alarmId: idSchema,
    /** The alarm as it was shown: network, transaction, and the coins in text. */
    networkName: textSchema().min(1, validation.fillAllFields),
    transaction: textSchema().min(1, validation.fillAllFields),
    coins: textSchema().min(1, validation.fillAllFields),
  }),
  z.object({
    reason,
    kind: z.literal('END_BREAK'),
    /** The comparison that was shown. */
    reconciliationId: idSchema,
    /** The dollars of its breaks. */
    amount: dollarsSchema,
  }),
  skipSchema.extend({ reason, kind: z.literal('SKIP_BLOCKS') }),
  z.object({
    reason,
    kind: z.enum(['COVER_LOSS', 'SHARE_LOSS']),
    /** The open loss, as it was shown: its name and its sum. */
    lossId: idSchema,
    amount: amountSchema,
  }),
  planTermsSchema.extend({ reason, kind: z.literal('PLAN') }),
  z.object({ reason, kind: z.enum(['WIND_DOWN', 'END_WIND_DOWN']) }),
  z.object({
    reason,
    kind: z.literal('PUT_IN_CAPITAL'),
    amount: amountSchema,
    networkName: textSchema().min(1, validation.fillAllFields),
    asset: z.enum(coins, { error: () => validation.fillAllFields }),
    /** Whole coins in decimal text. */
    coins: z
      .string()
      .trim()
      .regex(COINS, validation.coinsDecimal)
      .refine((text) => !text.startsWith('-'), validation.coinsDecimal),
    /** The transaction that brought them, and its output if there are several. */
    evidence: textSchema(200).min(1, validation.fillAllFields),
    /** The payment that a node shows. Left out on a network that no node follows. */
    paymentId: idSchema.optional(),
  }),
  z.object({
    reason,
    kind: z.literal('WITHDRAW_CAPITAL'),
    /** Dollars of the reserve. */
    amount: amountSchema,
    /** The own address from which the operator takes the coins, as two people named it before. */
    networkName: textSchema().min(1, validation.fillAllFields),
    address: textSchema().min(1, validation.fillAllFields),
    /** As they were shown. Left out where there are none. */
    repayments: repaymentsSchema.optional(),
  }),
])
/** A super admin asks for it by the call below. */
export type AskedProposal = z.infer<typeof askSchema>

export type Proposed = AskedProposal | CalledProposal
export type ProposalKind = Proposed['kind']

type PayloadIn<Asked, Kind> = Asked extends { readonly kind: infer Kinds }
  ? Kind extends Kinds
    ? Omit<Asked, 'kind' | 'reason'>
    : never
  : never
/** The payload of a kind. */
export type PayloadOf<Kind extends ProposalKind> = PayloadIn<Proposed, Kind>

/** A kind in words: of one proposal, with its facts in braces, and within a sentence. */
type Words = { readonly one: string; readonly any: string }

/** A kind: the subject of its entries in the audit trail, and its words in each language. */
export type KindFacts = {
  readonly subject: AuditSubject
  /** True if any member of staff may ask and decide. Otherwise super admins do. */
  readonly byStaff?: true
} & Readonly<Record<Language, Words>>

/** Every kind of proposal. */
export const proposalKinds: Readonly<Record<ProposalKind, KindFacts>> = {
  GRANT: {
    subject: 'user',
    en: { one: 'Give the role {role}', any: 'give a role' },
    es: { one: 'Dar el rol {role}', any: 'dar un rol' },
  },
  REVOKE: {
    subject: 'user',
    en: { one: 'Take the role {role}', any: 'take a role' },
    es: { one: 'Quitar el rol {role}', any: 'quitar un rol' },
  },
  SUSPEND: {
    subject: 'user',
    en: { one: 'Suspend the account', any: 'suspend the account' },
    es: { one: 'Suspender la cuenta', any: 'suspender la cuenta' },
  },
  RESUME: {
    subject: 'user',
    en: { one: 'Resume the account', any: 'resume the account' },
    es: { one: 'Reactivar la cuenta', any: 'reactivar la cuenta' },
  },
  RESET_FACTORS: {
    subject: 'user',
    en: { one: 'Reset lost second factors', any: 'reset lost second factors' },
    es: {
      one: 'Restablecer segundos factores perdidos',
      any: 'restablecer segundos factores perdidos',
    },
  },
  INVITE: {
    subject: 'user',
    en: { one: 'Invite as {role}', any: 'invite to the staff' },
    es: { one: 'Invitar como {role}', any: 'invitar al personal' },
  },
  ADD_WALLETS: {
    subject: 'wallet',
    byStaff: true,
    en: {
      one: 'New deposit addresses on {networkName}: {count}, from {first} to {last}',
      any: 'add deposit addresses',
    },
    es: {
      one: 'Nuevas direcciones de depósito en {networkName}: {count}, de {first} a {last}',
      any: 'añadir direcciones de depósito',
    },
  },
  DELETE_WALLET: {
    subject: 'wallet',
    byStaff: true,
    en: { one: 'Delete the wallet {address} on {networkName}', any: 'delete a wallet' },
    es: { one: 'Eliminar la cartera {address} en {networkName}', any: 'eliminar una cartera' },
  },
  ARCHIVE_WALLET: {
    subject: 'wallet',
    byStaff: true,
    en: { one: 'Archive the wallet {address} on {networkName}', any: 'archive a wallet' },
    es: { one: 'Archivar la cartera {address} en {networkName}', any: 'archivar una cartera' },
  },
  ADD_KEY: {
    subject: 'wallet',
    byStaff: true,
    en: { one: 'Add the key {name} on {networkName}', any: 'add a key' },
    es: { one: 'Añadir la clave {name} en {networkName}', any: 'añadir una clave' },
  },
  END_KEY: {
    subject: 'wallet',
    byStaff: true,
    en: { one: 'End the key {name} on {networkName}', any: 'end a key' },
    es: { one: 'Terminar la clave {name} en {networkName}', any: 'terminar una clave' },
  },
  SET_RATE: {
    subject: 'rate',
    byStaff: true,
    en: { one: 'Set the rate of {coin} to {dollars} dollars', any: 'set a rate' },
    es: { one: 'Fijar el precio de {coin} en {dollars} dólares', any: 'fijar un precio' },
  },
  WRITE_OFF: {
    subject: 'transaction',
    en: { one: 'Write off {amount}, paid by the reserve', any: 'write off what is owed' },
    es: { one: 'Cancelar {amount} a cargo de la reserva', any: 'cancelar lo adeudado' },
  },
  ...loanProposals,
  COMPLETE_WITHDRAWAL: {
    subject: 'transaction',
    byStaff: true,
    en: {
      one: 'Complete the withdrawal of {amount}, sent on {networkName}: {evidence}',
      any: 'complete a withdrawal',
    },
    es: {
      one: 'Completar la retirada de {amount}, enviada en {networkName}: {evidence}',
      any: 'completar una retirada',
    },
  },
  RETURN_WITHDRAWAL: {
    subject: 'transaction',
    en: { one: 'Give back the withdrawal of {amount}', any: 'give back a withdrawal' },
    es: { one: 'Devolver la retirada de {amount}', any: 'devolver una retirada' },
  },
  OWN_ADDRESS: {
    subject: 'custody',
    en: {
      one: 'Own address on {networkName}, {class}: {address}',
      any: 'name an own address',
    },
    es: {
      one: 'Dirección propia en {networkName}, {class}: {address}',
      any: 'declarar una dirección propia',
    },
  },
  OPENING: {
    subject: 'custody',
    en: {
      one: 'Opening balance on {networkName}, {account}: {amount} {asset}',
      any: 'record an opening balance',
    },
    es: {
      one: 'Saldo inicial en {networkName}, {account}: {amount} {asset}',
      any: 'anotar un saldo inicial',
    },
  },
  SETTLE_SPENDING: {
    subject: 'alarm',
    en: {
      one: 'Settle {coins} that left {networkName} without a batch, in {transaction}',
      any: 'settle coins that left without a batch',
    },
    es: {
      one: 'Resolver {coins} que salieron de {networkName} sin lote, en {transaction}',
      any: 'resolver monedas que salieron sin lote',
    },
  },
  END_BREAK: {
    subject: 'custody',
    en: {
      one: 'Let withdrawals go on with a difference of {amount}',
      any: 'let withdrawals go on after a break',
    },
    es: {
      one: 'Reanudar las retiradas con una diferencia de {amount}',
      any: 'reanudar las retiradas tras un descuadre',
    },
  },
  SKIP_BLOCKS: {
    subject: 'chain',
    en: {
      one: 'Skip blocks {from} to {to} of {networkName}, which nobody could read',
      any: 'skip blocks of a network',
    },
    es: {
      one: 'Omitir los bloques {from} a {to} de {networkName}, que nadie pudo leer',
      any: 'omitir bloques de una red',
    },
  },
  COVER_LOSS: {
    subject: 'loss',
    en: {
      one: 'Bear the open loss of {amount} by the operator’s capital',
      any: 'bear an open loss',
    },
    es: {
      one: 'Asumir la pérdida abierta de {amount} con el capital del operador',
      any: 'asumir una pérdida abierta',
    },
  },
  SHARE_LOSS: {
    subject: 'loss',
    en: {
      one: 'Share the open loss of {amount} among all invested principal, after it was announced',
      any: 'share an open loss',
    },
    es: {
      one: 'Repartir la pérdida abierta de {amount} entre todo el principal invertido, tras anunciarla',
      any: 'repartir una pérdida abierta',
    },
  },
  PLAN: {
    subject: 'plan',
    en: {
      one: 'Plan of {days} days from {startsAt}: {rate}, {least} to {most} at once, {capacity} at work, runway from {leastRunway}, {state}',
      any: 'change a plan',
    },
    es: {
      one: 'Plan de {days} días desde {startsAt}: {rate}, de {least} a {most} de una vez, {capacity} trabajando, reserva para {leastRunway}, {state}',
      any: 'cambiar un plan',
    },
  },
  WIND_DOWN: {
    subject: 'windDown',
    en: {
      one: 'Wind the pool down: no new money, and everybody is told',
      any: 'wind the pool down',
    },
    es: {
      one: 'Liquidar el fondo: sin dinero nuevo, y se avisa a todos',
      any: 'liquidar el fondo',
    },
  },
  END_WIND_DOWN: {
    subject: 'windDown',
    en: { one: 'Call the wind-down off', any: 'call the wind-down off' },
    es: { one: 'Cancelar la liquidación', any: 'cancelar la liquidación' },
  },
  PUT_IN_CAPITAL: {
    subject: 'contribution',
    en: {
      one: 'Book {amount} as capital of the operator: {coins} {asset} on {networkName}, {source}: {evidence}',
      any: 'put in capital of the operator',
    },
    es: {
      one: 'Anotar {amount} como capital del operador: {coins} {asset} en {networkName}, {source}: {evidence}',
      any: 'aportar capital del operador',
    },
  },
  WITHDRAW_CAPITAL: {
    subject: 'windDown',
    en: {
      one: 'Take {amount} of the operator’s capital out of the reserve, at {address} on {networkName}. Repayments that you both confirm: {count}, {repaid}',
      any: 'take out capital of the operator',
    },
    es: {
      one: 'Retirar {amount} del capital del operador de la reserva, en {address} de {networkName}. Reembolsos que ambos confirmáis: {count}, {repaid}',
      any: 'retirar capital del operador',
    },
  },
}
export const proposalKindNames = Object.keys(proposalKinds) as ProposalKind[]

/**
 * An approved one may still rest, or have mailed its link. One that its asker withdrew is rejected,
 * as a cancelled request is, and a void one is expired.
 */
export const proposalStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'] as const
export type ProposalStatus = (typeof proposalStatuses)[number]

const restsUntilSchema = timestampSchema.nullable()

export const proposalSchema = z.object({
  id: idSchema,
  /** The user concerned. Null without one, as for an invite, whose account does not exist yet. */
  userId: idSchema.nullable(),
  /** The email of the user concerned or of the person who is invited, else the subject. */
  about: z.string(),
  kind: z.enum(proposalKindNames),
  /** The values that fill its words. */
  facts: z.record(z.string(), z.unknown()),
  reason: z.string(),
  status: z.enum(proposalStatuses),
  askedById: idSchema,
  /** The email of the person who asked. */
  askedBy: z.string(),
  askedAt: timestampSchema,
  /** Of an approved one that rests: the moment from which it has effect. */
  restsUntil: restsUntilSchema,
  /** Of an approved invite: the end of its link. */
  linkUntil: timestampSchema.nullable(),
})
export type Proposal = z.infer<typeof proposalSchema>

export const listProposals = {
  method: 'GET',
  path: PROPOSALS,
  access: 'superAdmin',
  summary: `List the proposals that wait for a second super admin, at most ${PROPOSAL_DAYS} days, the approved ones that rest, and the invites whose link works. With \`ids\`, those, also after their end`,
  query: z.object({ userId: ownerSchema, ids: idsSchema }),
  body: z.array(proposalSchema),
} as const satisfies Endpoint

const RESTS =
  'Approved. It takes effect in 24 hours, unless the person signs in with a second factor.'

export const askProposal = {
  method: 'POST',
  path: PROPOSALS,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Ask to grant or revoke a role, to suspend or resume a user, to reset lost second factors, to invite to the staff by mail, to write off what an investor owes, to give back an approved withdrawal, to name an own address, to record an opening balance of coins, to settle coins that left without a batch, to end a pause by a break of the reconciliation, to skip blocks of a network that could not be read, to bear an open loss by the operator’s capital, to share it among all invested principal, which is announced to everybody and counts later, for a version of a plan, which counts from its moment on, to wind the pool down, to call that off, to book coins as capital of the operator, or to take out capital of the operator, which leaves last. In force once a second super admin approves, and at once where there is only one. A reset rests for 24 hours then',
  payload: askSchema,
  narration: ({ isInForce, restsUntil }: { isInForce: boolean; restsUntil: unknown }) => {
    if (restsUntil) return RESTS
    return isInForce
      ? 'Done. You are the only super admin, so it is in force now.'
      : 'Asked for. It takes effect once a second super admin approves it.'
  },
  body: z.object({ id: idSchema, isInForce: z.boolean(), restsUntil: restsUntilSchema }),
} as const satisfies Endpoint

const params = z.object({ id: idSchema })

export const approveProposal = {
  method: 'POST',
  path: `${PROPOSALS}/{id}/approve`,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Approve a proposal that another super admin asked for. In force at once; a reset of second factors rests for 24 hours first',
  params,
  narration: ({ restsUntil }: { restsUntil: unknown }) =>
    restsUntil ? RESTS : 'Approved. It is in force now.',
  body: z.object({ restsUntil: restsUntilSchema }),
} as const satisfies Endpoint

export const declineProposal = {
  method: 'POST',
  path: `${PROPOSALS}/{id}/decline`,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Reject a proposal, or withdraw it if the caller asked for it. Stops one that rests, and ends the link of an invite',
  params,
  body: z.null(),
} as const satisfies Endpoint
