// Fills in what the loan book shows now, on the landing page alone.
;(() => {
  const tellLoans = async () => {
    const section = document.querySelector('[data-book]')
    if (!section) return
    try {
      const { body } = await (await fetch(section.dataset.book)).json()
      if (!body?.book) return
      const { book, arrears, month, reserve } = body
      const write = (options) =>
        new Intl.NumberFormat(document.documentElement.lang, options).format
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
        part.textContent = book.everLent
          ? loans.replace(/\{(\w+)\}/g, (_, name) => said[name])
          : none
        part.hidden = false
      }
      section.querySelector('[data-with-book]').hidden = false
    } catch {}
  }
  addEventListener('loans', tellLoans)
  addEventListener('DOMContentLoaded', tellLoans)
})()
