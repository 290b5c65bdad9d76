const DAY_MS = 86_400_000
const RAD = Math.PI / 180
/** Julian date of the epoch, and of noon on 1 January 2000. */
const JULIAN_EPOCH = 2_440_587.5
const J2000 = 2_451_545
/** The upper edge on the horizon, with refraction. */
const ALTITUDE = -0.833
/** Polar nights last for half a year. */
const MOST_DAYS = 370

export interface Place { readonly latitude: number, readonly longitude: number }
export type SunEvent = 'sunrise' | 'sunset'

const mod = (value: number, by: number): number => ((value % by) + by) % by

/**
 * Sunrise or sunset of a UTC day, ms since the epoch, to about a minute; undefined if the sun does not cross the
 * horizon. By the usual low-precision formula: mean anomaly, equation of the centre, ecliptic longitude, declination,
 * hour angle.
 */
export function sunTime (event: SunEvent, day: number, { latitude, longitude }: Place): number | undefined {
  const noon = Math.floor(day / DAY_MS) + JULIAN_EPOCH + 0.5 - J2000
  const transitDay = noon - longitude / 360
  const anomaly = mod(357.5291 + 0.98560028 * transitDay, 360)
  const centre = 1.9148 * Math.sin(anomaly * RAD) + 0.02 * Math.sin(2 * anomaly * RAD) +
    0.0003 * Math.sin(3 * anomaly * RAD)
  const ecliptic = mod(anomaly + centre + 180 + 102.9372, 360)
  const transit = transitDay + 0.0053 * Math.sin(anomaly * RAD) - 0.0069 * Math.sin(2 * ecliptic * RAD)
  const declination = Math.asin(Math.sin(ecliptic * RAD) * Math.sin(23.4397 * RAD))
  const cosine = (Math.sin(ALTITUDE * RAD) - Math.sin(latitude * RAD) * Math.sin(declination)) /
    (Math.cos(latitude * RAD) * Math.cos(declination))
  if (cosine < -1 || cosine > 1) return undefined
  const angle = Math.acos(cosine) / RAD / 360
  return Math.round((transit + (event === 'sunrise' ? -angle : angle) + J2000 - JULIAN_EPOCH) * DAY_MS)
}

/** The next time after one, with an offset; undefined if there is none within a year. */
export function nextSunTime (event: SunEvent, offsetMs: number, after: number, place: Place): number | undefined {
  for (let day = -2; day < MOST_DAYS; day++) {
    const at = sunTime(event, after - offsetMs + day * DAY_MS, place)
    if (at !== undefined && at + offsetMs > after) return at + offsetMs
  }
  return undefined
}
