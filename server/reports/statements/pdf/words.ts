/** The words of a statement on paper, per language. */
import type { Language } from '@pool/contract/base/languages'
import { type MovementName, movementNames, movementWords } from '@pool/contract/money/ledger'
import type { StatementPart, StatementSum } from '@pool/contract/reports/statements'

type Words = {
  readonly title: string
  readonly balances: string
  readonly opening: (moment: string) => string
  readonly closing: (moment: string) => string
  readonly balanceNames: Readonly<Record<StatementPart | 'total', string>>
  readonly sumsHeading: string
  readonly sums: Readonly<Record<StatementSum, string>>
  readonly sum: string
  readonly dollars: string
  readonly kinds: string
  readonly kind: string
  readonly count: string
  readonly movements: string
  readonly noMovements: string
  readonly at: string
  readonly movement: string
  readonly amount: string
  readonly interest: string
  readonly months: string
  readonly month: string
  readonly soFar: string
  readonly times: string
  /** Above the name of the investor, which the product does not check. */
  readonly namedBy: string
  /** In place of a name that the font cannot write. The id of the account follows. */
  readonly unwritten: string
  readonly transaction: string
  readonly investment: string
  readonly address: string
  readonly coins: (coins: string, dollarsEach: string | null, moment: string) => string
  readonly check: string
  readonly howToCheck: (product: string) => readonly string[]
  readonly file: string
  readonly key: string
  readonly publicKey: string
  readonly page: (page: number, of?: number) => string
  readonly names: Readonly<Record<MovementName, string>>
}

const namesIn = (language: Language) =>
  Object.fromEntries(movementNames.map((name) => [name, movementWords[name][language]])) as Record<
    MovementName,
    string
  >

const english: Words = {
  title: 'Account statement',
  balances: 'Balances',
  opening: (moment) => `Opening, ${moment}`,
  closing: (moment) => `Closing, ${moment}`,
  balanceNames: {
    available: 'Available',
    held: 'Held',
    onTheWay: 'On the way',
    invested: 'Invested',
    promised: 'Promised',
    debt: 'Debt',
    total: 'Total',
  },
  sumsHeading: 'What the period brought',
  sums: {
    deposited: 'Deposited',
    withdrawn: 'Withdrawn',
    interestEarned: 'Interest earned',
    fees: 'Fees',
    lossesBorne: 'Losses borne',
    lossesReturned: 'Losses returned',
    depositsReversed: 'Deposits taken back',
    debtCollected: 'Debt collected',
    debtWrittenOff: 'Debt written off',
  },
  sum: 'Sum',
  dollars: 'US dollars',
  kinds: 'By kind of movement',
  kind: 'Kind',
  count: 'Number',
  movements: 'Movements',
  noMovements: 'Nothing moved in this period.',
  at: 'Moment (UTC)',
  movement: 'Movement',
  amount: 'Amount',
  interest: 'Interest',
  months: 'By month',
  month: 'Month',
  soFar:
    'The period is not over. This statement ends when it was made, and may lack what was under way.',
  times:
    'Times are in UTC, amounts in US dollars. The total leaves out promised interest: it is earned at the maturity.',
  namedBy: 'Name, as the investor gave it',
  unwritten:
    'The name has signs that this sheet cannot write. This is the id of the account instead.',
  transaction: 'Transaction',
  investment: 'Investment',
  address: 'Address',
  coins: (coins, each, moment) => (each === null ? coins : `${coins} at ${each} USD, ${moment}`),
  check: 'How to check this statement',
  howToCheck: (product) => [
    `${product} signed this file. Its signature is in signature.json, beside it in the archive.`,
    'Drop the archive at /verify. A changed byte or another name is told there.',
  ],
  file: 'File',
  key: 'Key',
  publicKey: 'Public key (Ed25519)',
  page: (page, of) => (of === undefined ? `Page ${page}` : `Page ${page} of ${of}`),
  names: namesIn('en'),
}

const spanish: Words = {
  title: 'Extracto de cuenta',
  balances: 'Saldos',
  opening: (moment) => `Inicial, ${moment}`,
  closing: (moment) => `Final, ${moment}`,
  balanceNames: {
    available: 'Disponible',
    held: 'Retenido',
    onTheWay: 'En camino',
    invested: 'Invertido',
    promised: 'Prometido',
    debt: 'Deuda',
    total: 'Total',
  },
  sumsHeading: 'Lo que trajo el periodo',
  sums: {
    deposited: 'Depositado',
    withdrawn: 'Retirado',
    interestEarned: 'Intereses ganados',
    fees: 'Comisiones',
    lossesBorne: 'Pérdidas asumidas',
    lossesReturned: 'Pérdidas devueltas',
    depositsReversed: 'Depósitos anulados',
    debtCollected: 'Deuda cobrada',
    debtWrittenOff: 'Deuda condonada',
  },
  sum: 'Suma',
  dollars: 'Dólares de EE. UU.',
  kinds: 'Por tipo de movimiento',
  kind: 'Tipo',
  count: 'Número',
  movements: 'Movimientos',
  noMovements: 'No hubo movimientos en este periodo.',
  at: 'Momento (UTC)',
  movement: 'Movimiento',
  amount: 'Importe',
  interest: 'Interés',
  months: 'Por mes',
  month: 'Mes',
  soFar:
    'El periodo no ha terminado. Este extracto acaba cuando se hizo, y puede faltar lo que estaba en curso.',
  times:
    'Las horas están en UTC y los importes en dólares de EE. UU. El total no incluye el interés prometido: se gana al vencimiento.',
  namedBy: 'Nombre que dio el inversor',
  unwritten:
    'El nombre tiene signos que esta hoja no puede escribir. En su lugar está el id de la cuenta.',
  transaction: 'Transacción',
  investment: 'Inversión',
  address: 'Dirección',
  coins: (coins, each, moment) => (each === null ? coins : `${coins} a ${each} USD, ${moment}`),
  check: 'Cómo comprobar este extracto',
  howToCheck: (product) => [
    `${product} firmó este archivo. La firma está en signature.json, junto a él en el archivo ZIP.`,
    'Suelta el ZIP en /verify. Allí se ve si cambió un solo byte o el nombre.',
  ],
  file: 'Archivo',
  key: 'Clave',
  publicKey: 'Clave pública (Ed25519)',
  page: (page, of) => (of === undefined ? `Página ${page}` : `Página ${page} de ${of}`),
  names: namesIn('es'),
}

export const paperWords: Readonly<Record<Language, Words>> = { en: english, es: spanish }
export type PaperWords = Words
