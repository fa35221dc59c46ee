// Counts the public figures of loans again from the text of the day's tape (docs/loans.md).
// node loans.mjs loans-DAY.csv book.json liabilities-DAY.json
import { readFileSync } from 'node:fs'

const texts = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'))
const read = texts.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text))
const book = read.map((each) => each.body ?? each).find((each) => each.arrears)
const liabilities = read.find((each) => each.root)
const tape = texts.find((text) => text.startsWith('as_of,'))
if (!tape || !book || !liabilities)
  throw new Error('Give the tape, the figures and the liabilities.')

/** The cells of a line. A cell in quotes may have commas, and two quotes for one. */
const cellsOf = (line) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
  )
const [heading, ...lines] = tape.trimEnd().split('\r\n').map(cellsOf)
const loans = lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [heading[at], cell])))
const today = loans[0]?.as_of ?? liabilities.day

// Amounts are cents, and shares basis points, rounded half up.
const cents = (text) => BigInt((text || '0').replace('.', ''))
const fromDollars = (dollars) => BigInt(Math.round(dollars * 100))
const sum = (of, column) => of.reduce((all, loan) => all + cents(loan[column]), 0n)
const over = (part, whole) => Number((part * 2n + whole) / (whole * 2n))
const share = (part, whole) => (whole === 0n ? null : over(part * 10_000n, whole))
const days = (from, to) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
const monthsAfter = (day, months) => {
  const [year, month, date] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)))
    .toISOString()
    .slice(0, 10)
}

let differences = 0
const compare = (name, mine, theirs) => {
  const [one, other] = [mine, theirs].map((value) => (value === null ? 'none' : String(value)))
  if (one !== other) differences += 1
  const said =
    one === other ? `equal      ${name}  ${one}` : `DIFFERENT  ${name}  tape ${one}, pool ${other}`
  process.stdout.write(`${said}\n`)
}

const owing = loans.filter(({ state }) => state === 'ACTIVE' || state === 'DEFAULTED')
const outstanding = sum(owing, 'outstanding')
const weighted = (weight) =>
  outstanding === 0n
    ? null
    : over(
        owing.reduce((all, loan) => all + cents(loan.outstanding) * weight(loan), 0n),
        outstanding,
      )
const byBorrower = [...Map.groupBy(owing, (loan) => loan.borrower_key).values()]
  .map((of) => sum(of, 'outstanding'))
  .sort((one, other) => (one < other ? 1 : -1))

compare('day of the tape and of the liabilities', today, liabilities.day)
compare(
  'day of the figures',
  today,
  new Date(Date.UTC(book.at[0], book.at[1] - 1, book.at[2])).toISOString().slice(0, 10),
)
compare('outstanding', outstanding, fromDollars(book.book.outstanding))
compare('loans in the liabilities', outstanding, BigInt(liabilities.loans))
compare('loans', owing.length, book.book.loans)
compare('borrowers', byBorrower.length, book.book.borrowers)
compare('loans ever lent', loans.length, book.book.everLent)
compare(
  'average rate',
  weighted((loan) => cents(loan.rate_pct)),
  book.book.rate,
)
compare(
  'days left',
  weighted((loan) => BigInt(Math.max(days(today, loan.last_unpaid_on), 0))),
  book.book.termDays,
)
for (const [at, most] of [1, 5, 10].entries())
  compare(
    `largest ${most}`,
    share(
      byBorrower.slice(0, most).reduce((all, each) => all + each, 0n),
      outstanding,
    ) ?? 0,
    book.book.largest[at],
  )
compare(
  'related parties',
  share(
    sum(
      owing.filter((loan) => loan.related_party !== 'none'),
      'outstanding',
    ),
    outstanding,
  ) ?? 0,
  book.book.related,
)

const LOSSES = {
  current: 100n,
  late1: 500n,
  late31: 2_000n,
  late61: 5_000n,
  late91: 7_500n,
  recovery: 7_500n,
}
let expected = 0n
for (const { bucket, ...told } of book.arrears.buckets) {
  const of = owing.filter(
    (loan) => (loan.state === 'DEFAULTED' ? 'recovery' : loan.bucket) === bucket,
  )
  expected += sum(of, 'outstanding') * LOSSES[bucket]
  compare(`${bucket}: loans`, of.length, told.loans)
  compare(`${bucket}: outstanding`, sum(of, 'outstanding'), fromDollars(told.outstanding))
  compare(
    `${bucket}: overdue`,
    sum(of, 'due_principal') + sum(of, 'due_interest'),
    fromDollars(told.overdue),
  )
}
compare(
  'PAR30',
  share(
    sum(
      owing.filter((loan) => Number(loan.dpd) > 30),
      'outstanding',
    ),
    outstanding,
  ),
  book.arrears.risk30,
)

const cohort = (told) => (loan) =>
  Number(loan.disbursed_on.slice(0, 4)) === told.year &&
  (loan.taken_over_on !== '') === told.takenOver &&
  (!told.quarter || Math.ceil(Number(loan.disbursed_on.slice(5, 7)) / 3) === told.quarter)
for (const told of book.years) {
  const of = loans.filter(cohort(told))
  const name = `${told.year}${told.takenOver ? ', taken over' : ''}`
  compare(`${name}: loans`, of.length, told.loans)
  compare(`${name}: disbursed`, sum(of, 'disbursed'), fromDollars(told.disbursed))
  compare(`${name}: ever late`, of.filter((loan) => Number(loan.dpd_max) > 30).length, told.late)
  compare(`${name}: defaults`, of.filter((loan) => loan.default_on).length, told.defaults)
  compare(
    `${name}: principal in default`,
    sum(of, 'principal_at_default'),
    fromDollars(told.exposure),
  )
}
compare(
  'loans of all years',
  book.years.reduce((all, { loans }) => all + loans, 0),
  loans.length,
)
for (const told of book.vintages) {
  const of = loans.filter(cohort(told))
  const name = `${told.year} Q${told.quarter}${told.takenOver ? ', taken over' : ''}`
  const ends = monthsAfter(`${told.year}-${String(told.quarter * 3 - 2).padStart(2, '0')}-01`, 3)
  for (const [at, months] of [3, 6, 12, 18, 24].entries()) {
    const lost = of.filter(
      (loan) => loan.default_on && loan.default_on <= monthsAfter(loan.disbursed_on, months),
    )
    const isShown = of.length >= 5 && monthsAfter(ends, months) <= today
    compare(
      `${name}: default in ${months} months`,
      isShown ? share(sum(lost, 'principal_at_default'), sum(of, 'disbursed')) : null,
      told.defaulted[at],
    )
  }
  compare(`${name}: written off`, sum(of, 'written_off'), fromDollars(told.writtenOff))
  compare(`${name}: recovered`, sum(of, 'recovered'), fromDollars(told.recovered))
}

const age = (loan) => days(loan.disbursed_on, today)
const [old, young] = [true, false].map((isOld) =>
  loans.filter((loan) => age(loan) >= 60 === isOld).map(age),
)
const followedAge = old.length > 0 ? Math.min(...old) : Math.max(...young)
if (book.followed) {
  const { disbursedOn, principal, paid: paidOf, instalments, interest, state } = book.followed
  const told = new Date(Date.UTC(disbursedOn[0], disbursedOn[1] - 1, disbursedOn[2]))
  compare('days of the followed loan', followedAge, days(told.toISOString().slice(0, 10), today))
  const facts = [fromDollars(principal), paidOf, instalments, fromDollars(interest), state].join()
  const same = loans
    .filter((loan) => age(loan) === followedAge)
    .map((loan) =>
      [
        cents(loan.disbursed),
        loan.instalments_paid,
        loan.instalments,
        cents(loan.interest_received),
        loan.state,
      ].join(),
    )
  compare('the followed loan', same.find((each) => each === facts) ?? same[0], facts)
}

// Live mode rounds the free reserve to $100, and the ratios follow from the exact one.
const slack = book.reserve.free % 100 === 0 ? 5_000n : 0n
const written = loans.filter((loan) => loan.written_off_on.startsWith(today.slice(0, 7)))
compare('written off this month', sum(written, 'written_off'), fromDollars(book.month.writtenOff))
compare('written off', sum(loans, 'written_off'), fromDollars(book.losses.writtenOff))
compare('recovered', sum(loans, 'recovered'), fromDollars(book.losses.recovered))
compare('given back to investors', sum(loans, 'given_back'), fromDollars(book.losses.returned))

/** Cents by month, from cells such as `2026-10 12.34; 2026-11 -1.00`. */
const byMonth = (column) => {
  const months = new Map()
  for (const part of loans.flatMap((loan) => loan[column].split('; ').filter(Boolean))) {
    const [month, dollars] = part.split(' ')
    months.set(month, (months.get(month) ?? 0n) + cents(dollars))
  }
  return months
}
const nameOf = ([year, month]) => `${year}-${String(month).padStart(2, '0')}`
const [income, kept] = [byMonth('interest_by_month'), byMonth('kept_by_month')]
const thisMonth = nameOf(book.month.month)
compare('interest this month', income.get(thisMonth) ?? 0n, fromDollars(book.month.interest))
compare('recoveries this month', kept.get(thisMonth) ?? 0n, fromDollars(book.month.recoveries))
compare(
  'interest of borrowers, all months',
  sum(loans, 'interest_received'),
  [...income.values()].reduce((all, each) => all + each, 0n),
)
const told = new Set(book.interest.months.map(({ month }) => nameOf(month)))
for (const month of income.keys())
  if (!told.has(month)) compare(`${month}: interest of borrowers`, income.get(month), 0n)
let unused = 0n
for (const { month, promised, ...said } of book.interest.months) {
  const mine = income.get(nameOf(month)) ?? 0n
  compare(`${nameOf(month)}: interest of borrowers`, mine, fromDollars(said.income))
  unused += mine
  const most = fromDollars(promised)
  const covered = unused <= 0n ? 0n : unused < most ? unused : most
  unused -= covered
  // Live mode rounds the interest of investors to $100.
  if (slack === 0n)
    compare(`${nameOf(month)}: promised, from borrowers`, covered, fromDollars(said.fromBorrowers))
}
const capital = owing.reduce(
  (all, loan) =>
    all +
    ((cents(loan.disbursed) - cents(loan.from_investors)) * cents(loan.outstanding)) /
      cents(loan.disbursed),
  0n,
)
compare("investors' principal in loans", outstanding - capital, fromDollars(book.reserve.lent))
const loss = (expected + 9_999n) / 10_000n
compare('expected loss', loss, fromDollars(book.reserve.expectedLoss))
const covers = (name, beside, told) => {
  const [low, high] = [-slack, slack].map((by) =>
    share(fromDollars(book.reserve.free) + beside + by, loss),
  )
  compare(name, low !== null && told >= low && told <= high ? told : low, told)
}
covers('interest coverage', 0n, book.reserve.interestCoverage)
covers('capital coverage', (sum(owing, 'interest_unpaid') * 9n) / 10n, book.reserve.capitalCoverage)
const [wasDue, paid] = [sum(loans, 'due_before_90'), sum(loans, 'paid_before_90')]
compare('collected in 90 days', share(paid, wasDue), book.liquidity.collected)
for (const { days: ahead, due, expected: told } of book.liquidity.days) {
  const comes = sum(owing, `due_${ahead}`)
  compare(`due in ${ahead} days`, comes, fromDollars(due))
  compare(
    `due in ${ahead} days, as collected`,
    wasDue === 0n ? null : (comes * paid) / wasDue,
    told === null ? null : fromDollars(told),
  )
}
process.stdout.write(
  differences === 0 ? 'All figures are equal.\n' : `${differences} figures differ.\n`,
)
process.exitCode = differences === 0 ? 0 : 1
