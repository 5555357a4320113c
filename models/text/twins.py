"""Letters of Cyrillic and Greek that print shows as it does a Latin one."""

# Capitals, then small letters.
TWIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮЁЇ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" "аеѕіјорсухёї" "οόνίά",
    "ABESIJKMHOPCTYXYËÏ" "ABEZHIKMNOPTYX" "aesijopcyxëï" "oóvíá")
