print("aasa")
