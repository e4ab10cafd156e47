// Gives this device its key and its identity, once. Upload this sketch, open the serial monitor (9600 baud), and type
//
//     key 00112233445566778899aabbccddeeff 7
//
// The key is the group's: 16 bytes as 32 hexadecimal digits, the same on all devices. Make it with a good source of
// randomness, for example `openssl rand -hex 16`. The number is this device's identity, 0 to 65534, which no other
// device of the group has. Then upload the sketch that you want to run: it finds both in EEPROM.
//
// Do not give a device a key again that it has used and lost. Uploading with a programmer erases EEPROM on many boards:
// then make a new key, for all devices.

#include <TatuLink.h> // first
#include <TatuLinkEEPROM.h>

TatuLink sealed(tatuLinkEEPROM);

static const uint8_t LONGEST_LINE = 60;
static char line[LONGEST_LINE + 1];

static bool readLine()
{
    static uint8_t length = 0;

    while (Serial.available() > 0) {
        const char letter = Serial.read();
        if (letter == '\n' || letter == '\r') {
            line[length] = '\0';
            const bool isLine = length > 0;
            length = 0;
            return isLine;
        }
        if (length < LONGEST_LINE) {
            line[length++] = letter;
        }
    }
    return false;
}

static int digit(char letter)
{
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
           : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                            : -1;
}

static bool readKey(uint8_t key[TATULINK_KEY_BYTES], const char *digits)
{
    for (uint8_t i = 0; i < TATULINK_KEY_BYTES; i++) {
        const int high = digit(digits[2 * i]);
        const int low = high < 0 ? -1 : digit(digits[2 * i + 1]);
        if (low < 0) {
            return false;
        }
        key[i] = high << 4 | low;
    }
    return true;
}

void setup()
{
    Serial.begin(9600);
    Serial.println(sealed.begin() ? F("this device has a key already") : F("this device has no key yet"));
    Serial.println(F("type: key 32-DIGITS IDENTITY"));
}

void loop()
{
    uint8_t key[TATULINK_KEY_BYTES];

    if (!readLine()) {
        return;
    }
    char *end = line;
    const bool isKey = strncmp(line, "key ", 4) == 0 && readKey(key, line + 4) && line[36] == ' ';
    const unsigned long identity = isKey ? strtoul(line + 37, &end, 10) : 0;
    if (!isKey || end == line + 37 || *end != '\0' || identity > 65534) {
        Serial.println(F("not understood; type: key 32-DIGITS IDENTITY"));
    } else if (sealed.provision(key, identity)) {
        Serial.println(F("provisioned"));
    } else {
        Serial.println(sealed.why());
    }
    tatu_wipe(key, sizeof key);
    tatu_wipe(line, sizeof line);
}
