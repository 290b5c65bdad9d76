# Starts Mosquitto for the user prnd alone, with the password of the variable BROKER_PASSWORD.
set -eu
folder=$(mktemp -d)
umask 077
mosquitto_passwd -b -c "$folder/passwords" prnd "$BROKER_PASSWORD"
cat > "$folder/mosquitto.conf" <<END
listener ${BROKER_PORT:-1883}
allow_anonymous false
password_file $folder/passwords
persistence true
persistence_location ${BROKER_DATA:-/mosquitto/data}/
END
# It changes its own user to this one.
[ "$(id -u)" -ne 0 ] || chown -R mosquitto "$folder"
exec mosquitto -c "$folder/mosquitto.conf"
