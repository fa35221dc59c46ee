// Runs before the first paint of every page, and is the landing page's only script (root.tsx).
// Small and inline, so that no wrong colour shows.
;(() => {
  // Long: a script of one page, in a scope of its own without modules.
  const KEY = 'mantine-color-scheme-value'
  const page = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const bars = [...document.querySelectorAll('meta[name="theme-color"]')].map((meta) => ({
    meta,
    media: meta.media,
  }))
  let chosen = null
  const recall = () => {
    try {
      chosen = localStorage.getItem(KEY)
    } catch {}
  }
  const show = () => {
    const explicit = chosen === 'dark' || chosen === 'light'
    const scheme = explicit ? chosen : system.matches ? 'dark' : 'light'
    page.dataset.mantineColorScheme = scheme
    // Colours the browser's bar too, for a choice against the system's scheme.
    for (const { meta, media } of bars)
      meta.media = explicit ? (media.includes(scheme) ? 'all' : 'not all') : media
    dispatchEvent(new Event('colorscheme'))
  }
  const toggle = () => {
    const next = page.dataset.mantineColorScheme === 'dark' ? 'light' : 'dark'
    // Choosing the system's own scheme returns to following it.
    chosen = (next === 'dark') === system.matches ? 'auto' : next
    try {
      localStorage.setItem(KEY, chosen)
    } catch {}
    show()
  }
  // A choice made here wins over the language that the server sends.
  const address = new URL(location.href)
  try {
    if (address.searchParams.get('lang') === page.lang) localStorage.setItem('language', page.lang)
    const language = localStorage.getItem('language')
    if (language && language !== page.lang && !address.searchParams.has('lang')) {
      address.searchParams.set('lang', language)
      location.replace(address)
    }
  } catch {}
  recall()
  show()
  system.addEventListener('change', show)
  addEventListener('storage', ({ key }) => {
    if (key !== KEY) return
    recall()
    show()
  })
  // Tells which frame to show while the app loads (AppFrame.module.css).
  try {
    if (localStorage.getItem('token')) {
      page.dataset.as = /admin/i.test(localStorage.getItem('userRole')) ? 'staff' : 'investor'
      // The first amount and date load tables. Style sheets are loading now, so the delay is free.
      new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(0)
      new Intl.DateTimeFormat(page.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(0)
    }
  } catch {}
  // The time in milliseconds after which figures that could not be loaded are asked for again.
  const AGAIN_MS = 15_000
  let isLost = false
  let timer
  const fillAgain = () => {
    isLost = true
    clearTimeout(timer)
    timer = setTimeout(fillFigures, AGAIN_MS, 'no-cache')
    tellConnection()
  }
  const fillFigures = async (cache = 'default') => {
    const section = document.querySelector('[data-figures]')
    if (!section) return
    const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
    const percent = new Intl.NumberFormat(page.lang, { style: 'percent' })
    try {
      const { successful, body } = await (await fetch(section.dataset.figures, { cache })).json()
      isLost = false
      tellConnection()
      if (!successful) return
      for (const figure of section.querySelectorAll('[data-figure]')) {
        const { figure: name } = figure.dataset
        figure.textContent = (name === 'coverage' ? percent : dollars).format(body[name])
      }
    } catch {
      fillAgain()
    }
  }
  const tellPauses = async () => {
    const section = document.querySelector('[data-pauses]')
    if (!section) return
    const known = new Map(JSON.parse(section.dataset.known))
    const reasonOf = ({ reason }) => known.get(reason) ?? reason
    try {
      const { successful, body } = await (await fetch(section.dataset.pauses)).json()
      if (!successful) return
      for (const line of section.querySelectorAll('[data-pause]')) {
        const paused = body.find(({ name }) => name === line.dataset.pause)
        line.hidden = !paused
        if (paused)
          line.textContent = line.dataset.sentence.replace('{reason}', () => reasonOf(paused))
      }
      section.hidden = body.length === 0
    } catch {}
  }
  const tellConnection = () => {
    const strip = document.querySelector('[data-connection]')
    if (!strip || !document.querySelector('[data-figures]')) return
    const { offline, gone } = strip.dataset
    strip.textContent = isLost ? (navigator.onLine ? gone : offline) : ''
    strip.hidden = !isLost
  }
  addEventListener('offline', fillAgain)
  addEventListener('online', () => fillFigures('no-cache'))
  addEventListener('figures', () => fillFigures())
  addEventListener('pauses', tellPauses)
  addEventListener('DOMContentLoaded', () => {
    fillFigures()
    tellPauses()
    tellConnection()
    for (const link of document.querySelectorAll('a[href^="https://wa.me/"]')) {
      link.href = `https://wa.me/${link.getAttribute('href').replace(/\D/g, '')}`
    }
  })
  addEventListener('click', ({ target }) => {
    if (target.closest?.('[data-toggle="color-scheme"]')) toggle()
    const language = target.closest?.('[data-language]')
    if (language) {
      const here = new URL(location.href)
      here.searchParams.set('lang', language.dataset.language)
      language.href = here
    }
    if (target.closest?.('[popover] a')) target.closest('[popover]').hidePopover()
  })
})()
// Shows the open plans, and their interest on the typed amount.
;(() => {
  // As `interestOn` (contract/money/plans.ts): whole cents, rounded down.
  const earn = () => {
    const section = document.querySelector('[data-plans]')
    const field = section?.querySelector('[data-principal]')
    if (!field) return
    const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
    const principal = Math.round(field.valueAsNumber * 100)
    for (const place of section.querySelectorAll('[data-rate]')) {
      const interest = Math.floor((principal * place.dataset.rate) / 10_000)
      place.textContent = field.checkValidity()
        ? `+ ${dollars.format(interest / 100)}`
        : section.dataset.least
    }
  }
  addEventListener('input', ({ target }) => target.closest?.('[data-principal]') && earn())
  const fillPlans = async () => {
    const section = document.querySelector('[data-plans]')
    if (!section) return
    const said = section.dataset
    const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' })
    const of = (name, count) => said[`${name}-${count}`] ?? said[name].replace('{n}', count)
    try {
      const { successful, body } = await (await fetch(said.plans)).json()
      if (!successful) return
      const open = body.filter(({ closed }) => closed !== 'closed')
      const list = section.querySelector('ul')
      const [first] = list.children
      const items = open.map(({ durationDays: days, rateBasisPoints: rate }) => {
        const item = first.cloneNode(true)
        const texts = [
          of('days', days),
          `${rate / 100}%`,
          '',
          said.yearly.replace('{n}', percent.format(((rate / 10_000) * 365) / days)),
        ]
        texts.forEach((text, place) => {
          item.children[place].textContent = text
        })
        item.querySelector('[data-rate]').dataset.rate = rate
        return item
      })
      section.hidden = items.length === 0
      if (section.hidden) return
      section.querySelector('h2').textContent = of('title', items.length)
      list.replaceChildren(...items)
      earn()
    } catch {}
  }
  addEventListener('plans', fillPlans)
  addEventListener('DOMContentLoaded', fillPlans)
})()
