// Fills in the figures of the pool's public page on the landing page alone.
;(() => {
  // Long: a script of one page, in a scope of its own without modules.
  const write = (options) => new Intl.NumberFormat(document.documentElement.lang, options).format
  const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name])
  const tell = (part, sentence, values) => {
    part.textContent = sentence ? fill(sentence, values) : ''
    part.hidden = !sentence
  }
  const tellLoans = ({ book, arrears, month, reserve }) => {
    const recovery = arrears.buckets?.find(({ bucket }) => bucket === 'recovery')
    const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format
    const said = {
      // Loans in default are not active.
      loans: write()(book.loans - (recovery?.loans ?? 0)),
      borrowers: write()(book.borrowers),
      outstanding: dollars(book.outstanding),
      lent: dollars(reserve.lent),
      interest: dollars(month.interest),
      risk30: write({ style: 'percent', maximumFractionDigits: 1 })(arrears.risk30 / 10_000),
    }
    for (const part of document.querySelectorAll('[data-loans]')) {
      const { loans, none } = part.dataset
      tell(part, book.everLent ? loans : none, said)
    }
  }
  const percent = (share) => write({ style: 'percent', maximumFractionDigits: 0 })(share)
  const drawLine = (figure, months) => {
    const shares = months.map(({ fromBorrowers, promised }) => fromBorrowers / promised)
    const last = shares.length - 1
    figure.hidden = last < 1
    if (last < 1) return
    const points = shares.map((share, at) => `${(at * 100) / last},${100 - share * 100}`).join(' ')
    figure.querySelector('polyline').setAttribute('points', points)
    figure.querySelector('polygon').setAttribute('points', `0,100 ${points} 100,100`)
    const { lang } = document.documentElement
    const { format } = new Intl.DateTimeFormat(lang, { month: 'short', year: 'numeric' })
    const ends = figure.querySelectorAll('span')
    for (const [place, at] of [0, last].entries()) {
      const [year, month] = months[at].month
      ends[place].textContent = `${format(new Date(year, month - 1))}: ${percent(shares[at])}`
    }
  }
  const tellPaid = ({ book, interest }) => {
    const box = document.querySelector('[data-paid]')
    if (!box || !interest) return
    const { promised, fromBorrowers, runwayDays, planRate, months } = interest
    // Any part shows, and any lack of one.
    const near = Math.min(99, Math.max(1, Math.round((fromBorrowers * 100) / promised)))
    const cents = fromBorrowers <= 0 ? 0 : fromBorrowers >= promised ? 100 : near
    const [payers, runway, rates] = box.querySelectorAll(
      '[data-payers], [data-runway], [data-rates]',
    )
    const known = { 0: 'payers-0', 1: 'payers-1', 100: 'payers-100' }[cents] ?? 'payers'
    const sentence = payers.getAttribute(`data-${promised > 0 ? known : 'none'}`)
    tell(payers, sentence, { borrowers: cents, operator: 100 - cents })
    const lasts =
      runwayDays !== null && runway.getAttribute(`data-runway${runwayDays === 1 ? '-1' : ''}`)
    tell(runway, lasts, { days: write()(runwayDays) })
    tell(rates, planRate !== null && book.rate !== null && rates.dataset.rates, {
      plans: percent(planRate / 10_000),
      loans: percent(book.rate / 10_000),
    })
    drawLine(
      box.querySelector('[data-line]'),
      months.filter((each) => each.promised > 0),
    )
    box.hidden = false
  }
  const tellFollowed = (loan) => {
    const part = document.querySelector('[data-followed]')
    if (!part || !loan) return
    const { followed, ...ends } = part.dataset
    const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format
    const [year, month, day] = loan.disbursedOn
    const dates = new Intl.DateTimeFormat(document.documentElement.lang, {
      dateStyle: 'long',
      timeZone: 'UTC',
    })
    const late = loan.late > 0 ? ` ${ends.late}` : ''
    tell(part, `${followed} ${ends[loan.state.toLowerCase()]}${late}`, {
      ...loan,
      day: dates.format(Date.UTC(year, month - 1, day)),
      principal: dollars(loan.principal),
      interest: dollars(loan.interest),
      rate: write({ style: 'percent', maximumFractionDigits: 2 })(loan.rate / 10_000),
    })
  }
  const tellBook = async () => {
    const section = document.querySelector('[data-book]')
    if (!section) return
    try {
      const { body } = await (await fetch(section.dataset.book)).json()
      if (!body?.book) return
      tellLoans(body)
      tellPaid(body)
      tellFollowed(body.followed)
      section.querySelector('[data-with-book]').hidden = false
    } catch {}
  }
  addEventListener('loans', tellBook)
  addEventListener('DOMContentLoaded', tellBook)
})()
