import { hasText, t } from 'shell'

/** A network's name for people. */
export const nameOf = ({ name }) => name === 'built-in'
  ? t('monitor.networks.builtin')
  : name === 'remote' ? t('monitor.networks.server') : name

/** The words of this language for an offer of the catalogue, or else those of the catalogue. */
export const aboutOf = (offer, what) => {
  const key = `monitor.offer.${offer.name}.${what}`
  return hasText(key) ? t(key) : offer[what]
}
