/** Proposals in the reader's words. */
import { type ProposalKind, proposalKinds } from '@pool/contract/agreements/proposals'
import { language } from './language.ts'

const isKind = (kind: string): kind is ProposalKind => Object.hasOwn(proposalKinds, kind)

/** A kind within a sentence: 'give a role'. An unknown one stays as it came. */
export const anyProposal = (kind: string): string =>
  isKind(kind) ? proposalKinds[kind][language].any : kind

/** One proposal, whose words show its facts: 'Give the role Admin'. */
export const oneProposal = (kind: string, factName: (fact: string) => string): string =>
  isKind(kind)
    ? proposalKinds[kind][language].one.replaceAll(/\{(\w+)\}/g, (_, fact) => factName(fact))
    : kind
